// Replay on features against dense algebra written once more, on the same transitions.
#include "politex/algorithm/replay_learner.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/features/additive.hpp"

namespace politex {
namespace {

constexpr double replay_ridge = 0.01;

/// sum psi (c - lambda + E_pi psi(x')' w - psi' w) = ridge w, and the same for the constant: w and lambda together.
Eigen::VectorXd solved_densely(const Phase& phase, const Eigen::MatrixXd& psi, const std::vector<double>& policy) {
  const auto d = psi.cols();
  Eigen::MatrixXd left = replay_ridge * Eigen::MatrixXd::Identity(d + 1, d + 1);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(d + 1);
  for (std::size_t t = 0; t < phase.pairs.size(); ++t) {
    Eigen::VectorXd own(d + 1), difference(d + 1);
    own << psi.row(phase.pairs[t]).transpose(), 1.0;
    difference = own;
    const int next = phase.slot_after(t) * 2;
    for (int a = 0; a < 2; ++a)
      difference.head(d) -= policy[static_cast<std::size_t>(next + a)] * psi.row(next + a).transpose();
    left += own * difference.transpose();
    right += own * phase.costs[t];
  }
  return left.fullPivLu().solve(right);
}

TEST(FeatureReplayLearner, SolvesForWeightsAndAverageTogether) {
  const FiniteModel model = deep_sea_model(DeepSea(4));
  const Features features = additive_features(model);
  FiniteCollector collector(TableEnvironment(model), features, PolicyTable(model.states, 2), 1);
  FeatureReplayLearner learner(features.structure(), 2, 1000, replay_ridge, &collector.features());
  collector.follow(learner.rule(), learner.weights());
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = 400};
  const Phase phase = collector.collect({.lengths = lengths, .steps = lengths.total()});
  learner.learn(phase);

  Eigen::MatrixXd psi = Eigen::MatrixXd::Zero(model.pairs(), features.dimension());
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const FeatureRow row = features.row(pair);
    for (std::size_t k = 0; k < row.indices.size(); ++k) psi(pair, row.offset + row.indices[k]) = row.values[k];
  }
  std::vector<double> policy(static_cast<std::size_t>(model.pairs()), 0.5);
  Eigen::VectorXd w;
  for (int improvement = 0; improvement < 3; ++improvement) {
    w = solved_densely(phase, psi, policy);
    const Eigen::VectorXd q = psi * w.head(features.dimension());
    double range = 0.0;
    for (const std::int32_t pair : phase.pairs) range += std::abs(q(pair / 2 * 2) - q(pair / 2 * 2 + 1)) / 400.0;
    const double eta = std::sqrt(std::log(2.0) * 400.0 / 100.0) / range;
    for (int x = 0; x < model.states; ++x) {
      const double first = 1.0 / (1.0 + std::exp(eta * (q(2 * x) - q(2 * x + 1))));
      policy[static_cast<std::size_t>(2 * x)] = first;
      policy[static_cast<std::size_t>(2 * x + 1)] = 1.0 - first;
    }
    if (improvement == 2) {
      EXPECT_NEAR(learner.rule().eta, eta, 1e-6 * eta);
    }
  }
  EXPECT_GT(w.norm(), 0.1);
  EXPECT_NEAR(learner.average(), w(features.dimension()), 1e-8);
  for (int k = 0; k < features.dimension(); ++k)
    EXPECT_NEAR(learner.weights()[static_cast<std::size_t>(k)], w(k), 1e-7) << k;
}

}  // namespace
}  // namespace politex
