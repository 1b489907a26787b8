#include "politex/algorithm/progress.hpp"
#include "politex/features/features_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/algorithm/politex_learner.hpp"
#include "politex/base/error.hpp"
#include "politex/env/river_swim.hpp"

namespace politex {
namespace {

/// Pairs and costs of a phase of five target steps.
struct Recorded {
  std::vector<std::int32_t> pairs = {0, 3, 1, 2, 0};
  std::vector<double> costs = {1, 0, 2, 0, 1};
  Phase phase() const {
    Phase phase;
    phase.lengths = {.rollouts = 1, .explore = 0, .probe = 0, .follow = 5};
    phase.pairs = pairs;
    phase.costs = costs;
    return phase;
  }
};

TEST(Progress, CountsStepsPhasesAndCosts) {
  const Recorded recorded;
  const std::vector<double> weights = {0.5, -1.0};
  Progress progress(100);
  progress.add(recorded.phase(), weights);
  progress.add(recorded.phase(), weights);
  EXPECT_EQ(progress.steps(), 10);
  EXPECT_EQ(progress.phases(), 2);
  EXPECT_EQ(progress.costs().all().cost, 8.0);
}

TEST(Progress, TheSignatureIsOfPairsAndWeightsAndWhereSlotsAreStepsOfCosts) {
  Recorded recorded;
  const std::vector<double> weights = {0.5, -1.0};
  for (const bool states : {true, false}) {
    Phase phase = recorded.phase();
    phase.slots_are_states = states;
    Progress progress(100);
    progress.add(phase, weights);
    Signature expected;
    expected.add(std::span<const std::int32_t>(recorded.pairs));
    if (!states) expected.add(std::span<const double>(recorded.costs));
    expected.add(std::span<const double>(weights));
    EXPECT_EQ(progress.signature().text(), expected.text());
  }
}

TEST(Progress, RewindReturnsToTheMark) {
  const Recorded recorded;
  const std::vector<double> weights = {0.5, -1.0};
  Progress progress(100);
  progress.add(recorded.phase(), weights);
  ByteWriter before, after;
  progress.save(before);
  const Progress::Mark mark = progress.mark();
  progress.add(recorded.phase(), weights);
  progress.rewind(mark);
  progress.save(after);
  EXPECT_EQ(before.bytes(), after.bytes());
}

TEST(Progress, RestoredItIsTheSame) {
  const Recorded recorded;
  Progress progress(100), other(100);
  progress.add(recorded.phase(), std::vector<double>{2.0});
  ByteWriter saved, again;
  progress.save(saved);
  ByteReader from(saved.bytes());
  other.restore(from);
  EXPECT_TRUE(from.empty());
  other.save(again);
  EXPECT_EQ(saved.bytes(), again.bytes());
}

TEST(Progress, WeightsOfACutPhaseAreNotChecked) {
  const Recorded recorded;
  Phase cut = recorded.phase();
  cut.lengths.follow = 9;
  const std::vector<double> weights = {std::numeric_limits<double>::infinity()};
  Progress progress(100);
  EXPECT_NO_THROW(progress.add(cut, weights));
  EXPECT_THROW(progress.add(recorded.phase(), weights), Error);
}

/// The error message of a run of LSPE, or "done"; `scale` is the size of its features.
std::string result_of(double scale) {
  const FiniteModel model = compile(RiverSwim(3), "river_swim", 3, 0);
  const Features features =
      parse_features(fmt::format("{{\"features\": [[{0:e}, 1], [1, {0:e}], [{0:e}, {0:e}]]}}", scale), "test", model);
  const FeatureStructure structure = features.structure();
  auto collector = std::make_unique<FiniteCollector>(TableEnvironment(model), features, PolicyTable(3, 2), 1);
  auto learner = std::make_unique<PolitexLearner>(Lspe({}, structure), structure, PolitexLearner::StepSize{}, 2, 1.0);
  const Lengths lengths{.rollouts = 2, .explore = 0, .probe = 0, .follow = 10};
  const Schedule schedule({.kind = ScheduleOptions::Kind::fixed, .steps = 100, .explores = false, .fixed = lengths});
  PhaseLoop loop(std::move(collector), std::move(learner), schedule, 100);
  try {
    while (!loop.done()) loop.advance();
  } catch (const Error& error) {
    return error.what();
  }
  return "done";
}

TEST(Progress, AnEstimateThatOverflowsIsAnErrorThatNamesThePhase) {
  EXPECT_EQ(result_of(2.0), "done");
  EXPECT_THAT(result_of(1e200), ::testing::HasSubstr("phase 1 is not finite"));
}

}  // namespace
}  // namespace politex
