#include "politex/discovery/feature_explorer.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "algorithm/exploring.hpp"
#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"

namespace politex {
namespace {

using test::ObservedWalk;
using Options = FeatureExplorer::Options;

/// Random actions, which the explorer observes and samples.
std::vector<std::int32_t> feed(FeatureExplorer& explorer, ObservedWalk& walk, int actions, int steps) {
  Rng rng(1, Use::explorer);
  std::vector<std::int32_t> pairs;
  for (int t = 0; t < steps; ++t) {
    const Trace trace = walk.step(static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions))));
    explorer.observe(trace);
    explorer.sample(trace);
    pairs.push_back(trace.pairs[0]);
  }
  return pairs;
}

TEST(FeatureExplorer, BonusesEqualDenseOnes) {
  const FiniteModel sea = deep_sea_model(DeepSea(5));
  const Features features = additive_features(sea);
  FeatureExplorer explorer(features.structure(), 2, Options{});
  ObservedWalk walk(sea, features, 1);
  const auto pairs = feed(explorer, walk, 2, 100);
  const int width = features.rows.columns;
  const auto psi = [&](std::int32_t state) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(width);
    const auto indices = features.rows.indices(state);
    for (std::size_t k = 0; k < indices.size(); ++k) row(indices[k]) = features.rows.values(state)[k];
    return row;
  };
  std::vector<Eigen::MatrixXd> grams(2, 0.01 * Eigen::MatrixXd::Identity(width, width));
  for (const std::int32_t pair : pairs)
    grams[static_cast<std::size_t>(pair % 2)] += psi(pair / 2) * psi(pair / 2).transpose();
  double log_det = 0.0;
  for (const auto& gram : grams) log_det += std::log(gram.determinant());
  EXPECT_NEAR(explorer.information().log_det(), log_det, 1e-7);
  for (std::int32_t pair = 0; pair < sea.pairs(); ++pair) {
    const double bonus = psi(pair / 2).dot(grams[static_cast<std::size_t>(pair % 2)].inverse() * psi(pair / 2));
    EXPECT_NEAR(explorer.bonus(features, pair), bonus, 1e-8 * (1.0 + bonus));
  }
}

/// With one feature per state the fit is a mean per pair, drawn towards g B by its ridge of .01: value iteration with
/// counts gives the same numbers.
TEST(FeatureExplorer, PlansAsValueIterationDoes) {
  const FiniteModel model = compile(RiverSwim(), "river_swim", 6, 0);
  const Features features = tabular_features(model);
  constexpr int sweeps = 25;
  FeatureExplorer explorer(features.structure(), 2, Options{.sweeps = sweeps, .discount = 0.9});
  ObservedWalk walk(model, features, 1);
  const auto pairs = feed(explorer, walk, 2, 30);
  const auto last = walk.state();
  explorer.plan();

  std::map<std::int32_t, std::map<std::int32_t, double>> counts;
  std::map<std::int32_t, double> bonus, visits;
  for (std::size_t t = 0; t < pairs.size(); ++t) {
    counts[pairs[t]][t + 1 < pairs.size() ? pairs[t + 1] / 2 : last] += 1.0;
    visits[pairs[t]] += 1.0;
  }
  double largest = 0.0;
  for (std::int32_t x = 0; x < model.states; ++x) {
    for (std::int32_t pair = 2 * x; pair < 2 * x + 2; ++pair)
      bonus[x] = std::max(bonus[x], 1.0 / (0.01 + (visits.contains(pair) ? visits[pair] : 0.0)));
    if (visits.contains(2 * x) || visits.contains(2 * x + 1) || x == last) largest = std::max(largest, bonus[x]);
  }
  std::map<std::int32_t, double> q;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const auto before = q;
    for (const auto& [pair, successors] : counts) {
      double sum = 0.0, n = 0.0;
      for (const auto& [next, count] : successors) {
        double ahead = bonus[next] / largest;
        for (std::int32_t other = 2 * next; other < 2 * next + 2 && sweep > 0; ++other)
          ahead = std::max(ahead, before.contains(other) ? before.at(other) : 0.9);
        sum += count * 0.9 * (ahead - 1.0);
        n += count;
      }
      q[pair] = std::clamp(0.9 + sum / (n + 0.01), 0.0, 0.9);
    }
  }
  EXPECT_GE(q.size(), 4U);
  for (std::int32_t pair = 0; pair < model.pairs(); ++pair)
    EXPECT_NEAR(explorer.continuing(features, pair), largest * (q.contains(pair) ? q[pair] : 0.9), 1e-9 * largest)
        << pair;
}

TEST(FeatureExplorer, StopsWhereTheOwnBonusIsWorthMore) {
  const FiniteModel sea = deep_sea_model(DeepSea(5));
  const Features features = additive_features(sea);
  FeatureExplorer explorer(features.structure(), 2, Options{});
  ObservedWalk walk(sea, features, 1);
  feed(explorer, walk, 2, 20);
  explorer.plan();
  Rng rng(2, Use::explorer);
  int stops = 0;
  for (std::int32_t x = 0; x < sea.states; ++x) {
    const Here here{.features = &features, .slot = x, .state = -1, .observation = {}};
    const double left = explorer.continuing(features, 2 * x), right = explorer.continuing(features, 2 * x + 1);
    const auto action = explorer.act(here, rng);
    const bool stop = explorer.largest_bonus(features, x) >= std::max(left, right);
    EXPECT_EQ(!action.has_value(), stop) << x;
    stops += stop;
    if (action && left != right) {
      EXPECT_EQ(*action, left > right ? 0 : 1);
    }
    const Action probe = *explorer.probe(here, rng);
    EXPECT_GE(explorer.bonus(features, 2 * x + probe), explorer.bonus(features, 2 * x + 1 - probe) * (1.0 - 1e-9));
  }
  EXPECT_GT(stops, 0);
  EXPECT_LT(stops, sea.states);
}

TEST(FeatureExplorer, CountsWhatWasNeverExcited) {
  const FiniteModel sea = deep_sea_model(DeepSea(5));
  const Features features = additive_features(sea);
  FeatureExplorer explorer(features.structure(), 2, Options{});
  EXPECT_EQ(explorer.coverage().known, features.dimension());
  EXPECT_EQ(explorer.coverage().untried, features.dimension());
  EXPECT_EQ(explorer.coverage().features, features.rows.columns);
  ObservedWalk walk(sea, features, 1);
  explorer.observe(walk.step(0));
  EXPECT_EQ(explorer.coverage().untried, features.dimension() - 2);
}

TEST(FeatureExplorer, RefusesTooManyFeatures) {
  const Values values;
  const LearningRequest request{.values = values,
                                .actions = 2,
                                .states = 0,
                                .structure = {.blocks = 2, .width = 2001, .exclusive = 0},
                                .size = 5};
  try {
    make_feature_explorer(request);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "features.name");
    EXPECT_NE(std::string(error.what()).find("cells"), std::string::npos);
  }
}

}  // namespace
}  // namespace politex
