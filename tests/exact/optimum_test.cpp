#include "politex/exact/optimum.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "exact/random_models.hpp"
#include "politex/env/deep_sea.hpp"

namespace politex::exact {
namespace {

using testing::random_model;

// Dense limits for every deterministic policy: exponential time, and independent of the code under test.
std::vector<double> best_of_all_policies(const FiniteModel& model) {
  std::vector<double> best(model.states, std::numeric_limits<double>::infinity());
  std::vector<int> actions(model.states, 0);
  for (int x = 0; x < model.states;) {
    const auto chain = testing::dense_chain(model, deterministic_policy(model, actions));
    const Eigen::VectorXd gain = testing::dense_limit(chain.p) * chain.cost;
    for (int y = 0; y < model.states; ++y) best[y] = std::min(best[y], gain[y]);
    for (x = 0; x < model.states && ++actions[x] == model.actions; ++x) actions[x] = 0;
  }
  return best;
}

TEST(Optimum, BeatsEveryDeterministicPolicyFromEveryState) {
  int differ = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    FiniteModel model = random_model(seed, 2 + static_cast<int>(seed % 5), 2 + static_cast<int>(seed % 2),
                                     1 + static_cast<int>(seed % 3), seed % 6 == 0 ? 0.2 : 0.0);
    if (seed % 4 == 1) {  // two closed halves
      for (int pair = 0; pair < model.pairs(); ++pair) {
        const int half = model.states / 2, low = pair / model.actions < half ? 0 : half;
        const int size = low == 0 ? half : model.states - half;
        for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) model.next[e] = low + model.next[e] % size;
      }
    }
    const Optimum found = optimum(model);
    const auto best = best_of_all_policies(model);
    const Evaluation attained = evaluate(model, deterministic_policy(model, found.action));
    for (int x = 0; x < model.states; ++x) {
      EXPECT_NEAR(found.gain[x], best[x], 1e-9) << "seed " << seed << " state " << x;
      EXPECT_NEAR(attained.gain[x], best[x], 1e-9) << "seed " << seed << " state " << x;
      differ += std::abs(best[x] - best[0]) > 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(differ, 10);  // some optima do depend on the start state
}

// Karp (1978): least mean over cycles that `start` reaches, from shortest walks of every length.
double least_cycle_mean(const FiniteModel& model, int start) {
  const int n = model.states;
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> walk(n + 1, std::vector<double>(n, never));
  walk[0][start] = 0.0;
  for (int k = 0; k < n; ++k) {
    for (int pair = 0; pair < model.pairs(); ++pair) {
      double& to = walk[k + 1][model.next[pair]];
      to = std::min(to, walk[k][pair / model.actions] + model.cost[pair]);
    }
  }
  double best = never;
  for (int x = 0; x < n; ++x) {
    if (walk[n][x] == never) continue;
    double worst = -never;
    for (int k = 0; k < n; ++k) {
      if (walk[k][x] < never) worst = std::max(worst, (walk[n][x] - walk[k][x]) / (n - k));
    }
    best = std::min(best, worst);
  }
  return best;
}

TEST(Optimum, EqualsKarpsCycleMeanOnDeterministicModels) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = random_model(seed + 500, 5 + static_cast<int>(seed), 1 + static_cast<int>(seed % 4), 1);
    const Optimum found = optimum(model);
    for (int x = 0; x < model.states; ++x) {
      EXPECT_NEAR(found.gain[x], least_cycle_mean(model, x), 1e-12) << "seed " << seed << " state " << x;
    }
  }
}

TEST(Optimum, SatisfiesBothOptimalityEquations) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FiniteModel model = random_model(seed + 900, 10 + static_cast<int>(seed % 30), 3,
                                           1 + static_cast<int>(seed % 4), seed % 4 == 0 ? 0.05 : 0.0);
    const Optimum found = optimum(model);
    const auto gain_after = expected_next(model, found.gain), bias_after = expected_next(model, found.bias);
    double size = 1.0;
    for (const double h : found.bias) size = std::max(size, std::abs(h));
    for (int x = 0; x < model.states; ++x) {
      double least_gain = 1e300, least_value = 1e300;
      for (int a = 0; a < model.actions; ++a) least_gain = std::min(least_gain, gain_after[model.pair(x, a)]);
      for (int a = 0; a < model.actions; ++a) {
        const int pair = model.pair(x, a);
        if (gain_after[pair] > least_gain + 1e-11) continue;
        least_value = std::min(least_value, model.cost[pair] - found.gain[x] + bias_after[pair]);
      }
      EXPECT_NEAR(least_gain, found.gain[x], 1e-11) << "seed " << seed << " state " << x;
      EXPECT_NEAR(least_value, found.bias[x], 1e-10 * size) << "seed " << seed << " state " << x;
    }
  }
}

TEST(Optimum, DeepSeaInClosedForm) {
  for (int n = 2; n <= 50; ++n) {
    EXPECT_NEAR(optimal_gain(DeepSea{n}), -(2.0 - (n / 2) / double(n)), 1e-12) << n;
  }
}

TEST(Optimum, DeepSeaOfTenThousandStates) {
  EXPECT_NEAR(optimal_gain(DeepSea{100}), -1.5, 1e-12);
  EXPECT_NEAR(optimal_gain(with_teleport(deep_sea_model(DeepSea{100}), 1e-9)), -1.5, 1e-4);
}

}  // namespace
}  // namespace politex::exact
