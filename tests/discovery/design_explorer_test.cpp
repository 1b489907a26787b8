// Bonuses against dense matrices, U against plain value iteration, from the same transitions.
#include "politex/discovery/design_explorer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "algorithm/exploring.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

using test::ObservedWalk;

/// Random actions: the explorer observes all of them, and samples every second.
struct Fed {
  Fed(const FiniteModel& model, const Features& features, int steps)
      : explorer(features.structure(), model.states, model.actions, model.size),
        grams(static_cast<std::size_t>(model.actions),
              0.01 * Eigen::MatrixXd::Identity(features.rows.columns, features.rows.columns)) {
    ObservedWalk walk(model, features, 1);
    Rng rng(1, Use::explorer);
    for (int t = 0; t < steps; ++t) {
      const std::int32_t state = walk.state();
      const auto action = static_cast<Action>(rng.below(static_cast<std::uint64_t>(model.actions)));
      const Trace trace = walk.step(action);
      explorer.observe(trace);
      if (t % 2 == 0) continue;
      explorer.sample(trace);
      grams[static_cast<std::size_t>(action)] += psi(features, state) * psi(features, state).transpose();
    }
  }
  static Eigen::VectorXd psi(const Features& features, std::int32_t state) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(features.rows.columns);
    const auto indices = features.rows.indices(state);
    for (std::size_t k = 0; k < indices.size(); ++k) row(indices[k]) = features.rows.values(state)[k];
    return row;
  }
  double bonus(const Features& features, std::int32_t state) const {
    double most = 0.0;
    for (const auto& gram : grams) {
      const Eigen::VectorXd row = psi(features, state);
      most = std::max(most, row.dot(gram.inverse() * row));
    }
    return most;
  }

  DesignExplorer explorer;
  std::vector<Eigen::MatrixXd> grams;
};

void expect_bonuses_and_values(const FiniteModel& model, const Features& features, int steps) {
  Fed fed(model, features, steps);
  fed.explorer.plan();
  double log_det = 0.0;
  for (const auto& gram : fed.grams) log_det += std::log(gram.determinant());
  EXPECT_NEAR(fed.explorer.information().log_det(), log_det, 1e-7);
  const TransitionCounts& counts = fed.explorer.counts();
  std::vector<double> b(static_cast<std::size_t>(model.states)), u(b.size());
  double largest = 0.0;
  for (const std::int32_t x : counts.seen()) {
    const double bonus = fed.bonus(features, x);
    EXPECT_NEAR(fed.explorer.bonus(x), bonus, 1e-7 * (1.0 + bonus));
    b[static_cast<std::size_t>(x)] = u[static_cast<std::size_t>(x)] = bonus;
    largest = std::max(largest, bonus);
  }
  const double g = 1.0 - 1.0 / (8.0 * model.size);
  EXPECT_EQ(fed.explorer.discount(), g);
  for (int k = 0; k < 5000; ++k) {
    const auto before = u;
    for (const std::int32_t x : counts.seen())
      for (std::int32_t pair = x * model.actions; pair < (x + 1) * model.actions; ++pair) {
        double ahead = counts.count(pair) > 0.0 ? 0.0 : largest;
        for (const auto& one : counts.successors(pair))
          ahead += one.count / counts.count(pair) * before[static_cast<std::size_t>(one.state)];
        u[static_cast<std::size_t>(x)] = std::max(u[static_cast<std::size_t>(x)], g * ahead);
      }
  }
  // A sweep that changes nothing by more than 1e-4 of the largest bonus is the last.
  for (const std::int32_t x : counts.seen())
    EXPECT_NEAR(fed.explorer.value(x), u[static_cast<std::size_t>(x)], 1e-3 * largest) << x;
}

TEST(DesignExplorer, BonusesAndValuesEqualDenseOnes) {
  const FiniteModel sea = deep_sea_model(DeepSea(5));
  for (const int steps : {3, 40, 600}) expect_bonuses_and_values(sea, additive_features(sea), steps);
  FiniteModel garnet = garnet_model({.states = 8, .actions = 3, .branching = 2, .model_seed = 4});
  garnet.size = 4;
  expect_bonuses_and_values(garnet, tabular_features(garnet), 300);
}

TEST(DesignExplorer, ProbesTheActionOfTheLargestBonus) {
  const FiniteModel sea = deep_sea_model(DeepSea(5));
  const Features features = additive_features(sea);
  Fed fed(sea, features, 40);
  Rng rng(2, Use::probe);
  for (std::int32_t x = 0; x < sea.states; ++x) {
    const Here here{.features = &features, .slot = x, .state = x, .observation = {}};
    const Action probe = *fed.explorer.probe(here, rng);
    for (Action a = 0; a < 2; ++a)
      EXPECT_LE(fed.explorer.information().bonus(features.row(2 * x + a)),
                fed.explorer.information().bonus(features.row(2 * x + probe)) * (1.0 + 1e-9));
  }
}

/// One sample of every row and column of the sea is enough for additive features, and the explorer finds it: with N
/// features of each kind and two actions there are 4N - 2 directions.
TEST(DesignExplorer, KnowsAllFeaturesSoon) {
  const FiniteModel sea = deep_sea_model(DeepSea(8));
  const Features features = additive_features(sea);
  DesignExplorer explorer(features.structure(), sea.states, sea.actions, sea.size);
  ObservedWalk walk(sea, features, 1);
  Rng rng(3, Use::explorer);
  test::explore(explorer, walk, 60, 64, rng);
  explorer.plan();
  for (const std::int32_t x : explorer.counts().seen()) EXPECT_LT(explorer.bonus(x), 3.0) << x;
}

}  // namespace
}  // namespace politex
