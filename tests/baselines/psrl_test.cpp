// The draws of the posterior, the ends of episodes, and the plan against the exact optimum of the sampled model.
#include "politex/baselines/psrl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/baselines/step_collector.hpp"
#include "politex/env/garnet.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

// Mean and variance of a gamma variable are both its shape. 200,000 draws; the bounds are 6 standard errors, so a
// wrong alarm has a probability below 1e-8, and the seed is fixed.
TEST(GammaDraw, HasTheMomentsOfTheShape) {
  for (const double shape : {0.2, 1.0, 3.5, 40.0}) {
    Rng rng(5);
    constexpr int draws = 200'000;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < draws; ++i) {
      const double draw = gamma_draw(shape, rng);
      ASSERT_GE(draw, 0.0);
      sum += draw;
      squares += draw * draw;
    }
    const double mean = sum / draws, variance = squares / draws - mean * mean;
    EXPECT_NEAR(mean, shape, 6.0 * std::sqrt(shape / draws)) << shape;
    const double fourth = 3.0 * shape * shape + 6.0 * shape;  // central moment
    EXPECT_NEAR(variance, shape, 6.0 * std::sqrt((fourth - shape * shape) / draws)) << shape;
  }
}

TEST(Psrl, EpisodesEndByLengthOrDoubledCounts) {
  Psrl learner(1, 1, {.prior = 1.0}, 0.0, 1.0, 1);
  Rng rng(1);
  const Place here{.state = 0};
  std::vector<std::int64_t> begins;
  for (int t = 0; t < 40; ++t) {
    const std::int64_t before = learner.episodes();
    learner.act(here, rng);
    if (learner.episodes() > before) begins.push_back(t);
    learner.observe(here, 0, 0.5, here);
  }
  // The count of the only pair more than doubles, or the episode is one step longer than the one before.
  EXPECT_EQ(begins, (std::vector<std::int64_t>{0, 1, 3, 6, 10, 15, 21, 28, 36}));
}

TEST(Psrl, ThePlanIsOptimalInTheSampledModel) {
  const FiniteModel model = garnet_model({.states = 8, .actions = 3, .branching = 3, .model_seed = 4});
  const TableEnvironment environment(model);
  const auto [lowest, highest] = std::ranges::minmax(model.cost);
  StepParts parts;
  parts.finite = &environment;
  parts.features = tabular_features(model);
  TableStepCollector<Psrl> collector(parts, Psrl(model.states, model.actions, {.prior = 0.5}, lowest, highest, 3));
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = 20'000};
  collector.collect({.lengths = lengths, .steps = lengths.total()});
  const SampledModel& sampled = collector.inside().sampled();
  FiniteModel copy = model;
  copy.first.assign(sampled.first.begin(), sampled.first.end());
  copy.next.assign(sampled.next.begin(), sampled.next.end());
  copy.probability = sampled.probability;
  copy.cost = sampled.cost;
  const exact::Optimum optimum = exact::optimum(copy);
  for (int x = 0; x < model.states; ++x) {
    const auto row = collector.inside().q().row(x);
    EXPECT_EQ(std::ranges::min_element(row) - row.begin(), optimum.action[static_cast<std::size_t>(x)]) << x;
  }
  // After 20,000 steps the sample is close to the model itself.
  EXPECT_NEAR(optimum.gain[0], exact::optimal_gain(model), 0.02);
}

}  // namespace
}  // namespace politex
