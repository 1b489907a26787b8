// Bounds that contain everything, and none: the two ends of extended value iteration.
#include "politex/baselines/ucrl2b.hpp"

#include <gtest/gtest.h>

#include "politex/baselines/step_collector.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

TEST(Ucrl2b, BeforeTheFirstVisitEveryPairIsEquallyGood) {
  Ucrl2b learner(3, 2, {}, {});
  Rng rng(1);
  learner.act({.state = 0}, rng);
  for (const double q : learner.q().all()) EXPECT_EQ(q, learner.q().all()[0]);
}

// With widths of 0 the plan is the optimum of the empirical model: on a deterministic cycle with a known shortcut.
TEST(Ucrl2b, WithoutWidthsItPlansInTheEmpiricalModel) {
  Ucrl2b learner(2, 2, {.delta = 0.05, .bonus = 0.0}, {});
  Rng rng(1);
  const auto step = [&](int x, Action a, double cost, int y) { learner.observe({.state = x}, a, cost, {.state = y}); };
  for (int i = 0; i < 4; ++i) {  // action 0 stays and costs .5; action 1 changes the state and costs .2 and .4
    step(0, 0, 0.5, 0);
    step(1, 0, 0.5, 1);
    step(0, 1, 0.2, 1);
    step(1, 1, 0.4, 0);
  }
  EXPECT_EQ(learner.act({.state = 0}, rng), 1);
  EXPECT_EQ(learner.act({.state = 1}, rng), 1);
  EXPECT_LT(learner.q().at(0, 1), learner.q().at(0, 0));
}

// The seed is fixed: the run has the same bits every time.
TEST(Ucrl2b, FindsTheOptimumOfRiverSwim) {
  const FiniteModel model = river_swim_model(6);
  const TableEnvironment environment(model);
  const auto [lowest, highest] = std::ranges::minmax(model.cost);
  StepParts parts;
  parts.finite = &environment;
  parts.features = tabular_features(model);
  TableStepCollector<Ucrl2b> collector(
      parts, Ucrl2b(model.states, model.actions, {}, {.lowest = lowest, .range = highest - lowest}));
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = 100'000};
  const Phase phase = collector.collect({.lengths = lengths, .steps = lengths.total()});
  double cost = 0.0;
  for (const double each : phase.costs) cost += each / 100'000.0;
  EXPECT_LT(cost, 0.8 * exact::optimal_gain(model));  // gains are negative
  const exact::Optimum optimum = exact::optimum(model);
  for (int x = 0; x < model.states; ++x)
    EXPECT_EQ(collector.inside().q().row(x)[0] < collector.inside().q().row(x)[1] ? 0 : 1,
              optimum.action[static_cast<std::size_t>(x)])
        << x;
}

}  // namespace
}  // namespace politex
