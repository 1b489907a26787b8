// Least squares that overflow stop the run with a sentence instead of acting on numbers that are none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/politex/finite_collector.hpp"
#include "politex/politex/loop.hpp"

namespace politex {
namespace {

/// What a run of LSPE says at its end; `scale` is the size of its features.
std::string last_words(double scale) {
  const FiniteModel model = compile(RiverSwim(3), "river_swim", 3, 0);
  const Features features =
      parse_features(fmt::format("{{\"features\": [[{0:e}, 1], [1, {0:e}], [{0:e}, {0:e}]]}}", scale), "test", model);
  const FeatureStructure structure = features.structure();
  auto collector = std::make_unique<FiniteCollector>(FiniteWorld(model), features, PolicyTable(3, 2), 1);
  auto learner = std::make_unique<PolitexLearner>(Lspe({}, structure), structure, PolitexLearner::StepSize{}, 2, 1.0);
  const Lengths lengths{.rollouts = 2, .explore = 0, .probe = 0, .follow = 10};
  const Schedule schedule({.kind = ScheduleOptions::Kind::fixed, .steps = 100, .explores = false, .fixed = lengths});
  Loop loop(std::move(collector), std::move(learner), schedule, 100);
  try {
    while (!loop.done()) loop.advance();
  } catch (const Error& error) {
    return error.what();
  }
  return "done";
}

TEST(NotFinite, AnEstimateThatOverflowsIsAnErrorThatNamesThePhase) {
  EXPECT_EQ(last_words(2.0), "done");
  EXPECT_THAT(last_words(1e200), ::testing::HasSubstr("phase 1 is not finite"));
}

TEST(NotFinite, CostsThatAreFiniteAndTheirSumThatIsNot) {
  Phase phase;
  const std::vector<double> costs(4, 1.7e308);
  phase.costs = costs;
  phase.lengths = {.rollouts = 1, .explore = 0, .probe = 0, .follow = 4};
  CostLedger ledger(100);
  try {
    ledger.add(phase);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("ended at step 4 sum to more than a number can hold"));
  }
}

}  // namespace
}  // namespace politex
