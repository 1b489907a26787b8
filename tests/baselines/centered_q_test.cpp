// The update rule, by hand and on average: the optimal gain and values of small problems.
#include "politex/baselines/centered_q.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/baselines/step_collector.hpp"
#include "politex/env/garnet.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

Place at(int state) { return {.state = state}; }

TEST(CenteredQ, TwoStepsByHand) {
  CenteredQ learner(2, 2, {.alpha = 0.5, .average_rate = 0.1, .discount = 0.8, .epsilon = 0.0});
  learner.observe(at(0), 1, 2.0, at(1));  // delta = 2
  EXPECT_DOUBLE_EQ(learner.q().at(0, 1), 1.0);
  EXPECT_DOUBLE_EQ(learner.average(), 0.1);
  learner.observe(at(0), 0, 3.0, at(0));  // delta = 3 - .1 + .8 min(0, 1) - 0
  EXPECT_DOUBLE_EQ(learner.q().at(0, 0), 1.45);
  EXPECT_DOUBLE_EQ(learner.average(), 0.1 + 0.1 * 0.5 * 2.9);
  learner.observe(at(1), 0, -1.0, at(0));  // delta = -1 - .245 + .8 * 1 - 0
  EXPECT_DOUBLE_EQ(learner.q().at(1, 0), 0.5 * (-1.0 - 0.245 + 0.8));
}

TEST(CenteredQ, ActsGreedilyWithRandomTies) {
  CenteredQ learner(1, 4, {.alpha = 1.0, .average_rate = 0.0, .discount = 0.0, .epsilon = 0.0});
  learner.observe(at(0), 1, -2.0, at(0));
  learner.observe(at(0), 3, -2.0, at(0));
  Rng rng(3);
  int counts[4] = {};
  for (int t = 0; t < 1000; ++t) ++counts[learner.act(at(0), rng)];
  EXPECT_EQ(counts[0] + counts[2], 0);
  EXPECT_NEAR(counts[1], 500, 80);  // 5 standard deviations; the seed is fixed
}

// Off-policy: with uniformly random actions the average converges to the optimal gain, not to that of random actions.
// The seed is fixed; with a step of .01 the noise of the average is about .01 of the range of costs.
TEST(CenteredQ, TheAverageConvergesToTheOptimalGain) {
  const FiniteModel model = garnet_model({.states = 6, .actions = 3, .branching = 3, .model_seed = 2});
  const TableEnvironment environment(model);
  StepParts parts;
  parts.finite = &environment;
  parts.features = tabular_features(model);
  parts.seed = 1;
  TableStepCollector<CenteredQ> collector(
      parts,
      CenteredQ(model.states, model.actions, {.alpha = 0.01, .average_rate = 0.3, .discount = 1.0, .epsilon = 1.0}));
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = 400'000};
  collector.collect({.lengths = lengths, .steps = lengths.total()});
  const exact::Optimum optimum = exact::optimum(model);
  EXPECT_NEAR(collector.inside().average(), optimum.gain[0], 0.03);
  for (int x = 0; x < model.states; ++x) {
    const auto row = collector.inside().q().row(x);
    const auto best = std::ranges::min_element(row) - row.begin();
    EXPECT_EQ(best, optimum.action[static_cast<std::size_t>(x)]) << x;
  }
}

}  // namespace
}  // namespace politex
