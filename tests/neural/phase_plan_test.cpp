#include "politex/neural/phase_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace politex::neural {
namespace {

TEST(PhasePlan, ThePhaseLengthIsTheSmallestThatReachesTheRoot) {
  EXPECT_EQ(phase_length(100, 0), 10'000);
  for (const std::int64_t before : {0, 1, 17, 10'000, 375'000})
    for (const double scale : {0.5, 3.0, 20.0, 100.0}) {
      const auto k = phase_length(scale, before);
      EXPECT_GE(static_cast<double>(k), scale * std::sqrt(static_cast<double>(before + k)));
      EXPECT_TRUE(k == 1 || static_cast<double>(k - 1) < scale * std::sqrt(static_cast<double>(before + k - 1)));
    }
}

TEST(PhasePlan, CountsLearnerStepsAndPhases) {
  Settings settings;
  settings.phase_scale = 2.0;
  settings.transitions_per_step = 16;
  settings.follow_scale = 0.5;
  PhasePlan plan(settings, 30);
  std::int64_t steps = 0;
  for (std::int64_t phase = 1; phase <= 5; ++phase) {
    EXPECT_EQ(plan.number(), phase);
    EXPECT_EQ(plan.length(), phase_length(2.0, steps));
    const double policy_steps = 0.5 * std::sqrt(16.0 * static_cast<double>(plan.length()));
    EXPECT_EQ(plan.follow() % 30, 0);  // whole episodes
    EXPECT_GE(static_cast<double>(plan.follow()), policy_steps);
    EXPECT_LT(static_cast<double>(plan.follow()), policy_steps + 31);
    for (; !plan.ended(); ++steps) plan.count();
    EXPECT_EQ(plan.learner_steps(), steps);
    plan.next();
    EXPECT_EQ(plan.done(), 0);
  }
}

TEST(PhasePlan, TheDefaultImprovesThePolicyWithinTenThousandTransitions) {
  Settings settings;
  EXPECT_EQ(first_phase_transitions(settings), 6'400);
  settings.phase_scale = 100.0;  // the paper's
  EXPECT_EQ(first_phase_transitions(settings), 160'000);
  settings.phase_steps = 7;
  EXPECT_EQ(first_phase_transitions(settings), 112);
}

TEST(PhasePlan, PhasesOfAGivenLengthAndARestoredPlan) {
  Settings settings;
  settings.phase_steps = 7;
  PhasePlan plan(settings, 0), other(settings, 0);
  for (int i = 0; i < 7; ++i) {
    EXPECT_FALSE(plan.ended());
    plan.count();
  }
  EXPECT_TRUE(plan.ended());
  plan.next();
  plan.count();
  ByteWriter saved, again;
  plan.save(saved);
  ByteReader from(saved.bytes());
  other.restore(from);
  other.save(again);
  EXPECT_EQ(saved.bytes(), again.bytes());
  EXPECT_EQ(other.number(), 2);
  EXPECT_EQ(other.done(), 1);
}

}  // namespace
}  // namespace politex::neural
