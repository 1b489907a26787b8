#include "politex/algorithm/politex_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "small_loops.hpp"

namespace politex {
namespace {

TEST(PolitexLearner, PolicyIsTheSumOfAllQs) {
  test::SmallRun setup{.algorithm = "ee_every"};
  const auto loop = test::make_loop(setup);
  std::vector<double> sum(loop->learner().weights().size(), 0.0);
  while (!loop->done()) {
    loop->advance();
    if (loop->done()) break;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += loop->learner().newest()[k];
    ASSERT_TRUE(std::ranges::equal(sum, loop->learner().weights()));
  }
}

TEST(PolitexLearner, TheStepSizeOfTheTheorem) {
  const PolitexLearner::StepSize theory{.eta = 0.0, .q_max = 20.0};
  EXPECT_DOUBLE_EQ(theory.of(100.0, 3), std::sqrt(8.0 * std::log(3.0) / 100.0) / 20.0);
  EXPECT_EQ((PolitexLearner::StepSize{.eta = 0.3, .q_max = 20.0}).of(100.0, 3), 0.3);
}

TEST(PolitexLearner, RestartForgetsTheSumAndTakesTheNewNumberOfPhases) {
  const FiniteModel model = deep_sea_model(DeepSea(4));
  const Features features = test::features_of(model);
  const PolitexLearner::StepSize step_size{.eta = 0.0, .q_max = 10.0};
  PolitexLearner learner(Lsmc({}, features.structure()), features.structure(), step_size, 2, 4.0);
  FiniteCollector collector(TableEnvironment(model), features, PolicyTable(16, 2), 1);
  const Lengths lengths{2, 1, 1, 8};
  collector.follow(learner.rule(), learner.weights());
  learner.learn(collector.collect({.lengths = lengths, .steps = lengths.total()}));
  EXPECT_FALSE(std::ranges::all_of(learner.weights(), [](double weight) { return weight == 0.0; }));
  learner.restart(16.0);
  EXPECT_TRUE(std::ranges::all_of(learner.weights(), [](double weight) { return weight == 0.0; }));
  EXPECT_TRUE(std::ranges::all_of(learner.newest(), [](double weight) { return weight == 0.0; }));
  ByteWriter restarted, made;
  learner.save(restarted);
  PolitexLearner(Lsmc({}, features.structure()), features.structure(), step_size, 2, 16.0).save(made);
  EXPECT_EQ(restarted.bytes(), made.bytes());
}

}  // namespace
}  // namespace politex
