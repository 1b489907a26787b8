#include "politex/exact/mixing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {
namespace {

using testing::chain_model;
using testing::dense_chain;
using testing::random_model;
using testing::random_policy;

TEST(Mixing, TwoStateChainInClosedForm) {
  const FiniteModel model = chain_model(Eigen::Matrix2d{{0.55, 0.45}, {0.45, 0.55}}, Eigen::Vector2d{1.0, -1.0});
  for (const Mixing& found : {mixing(model), mixing(model, uniform_policy(model))}) {
    EXPECT_NEAR(found.tau, 0.1, 1e-15);
    EXPECT_NEAR(found.kappa, -1.0 / std::log(0.1), 1e-13);
    EXPECT_EQ(found.first_state + found.second_state, 1);
  }
  EXPECT_NEAR(second_eigenvalue(model, uniform_policy(model)), 0.1, 1e-14);
}

// L1 contraction towards the stationary distribution for one starting distribution: the definition in A2.
double contraction(const Eigen::RowVectorXd& stationary, const Eigen::RowVectorXd& other, const Eigen::MatrixXd& p) {
  return ((stationary - other) * p).lpNorm<1>() / (stationary - other).lpNorm<1>();
}

TEST(Mixing, KappaIsTheWorstContractionOverAllPoliciesAndDistributions) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const FiniteModel model = random_model(seed, 4, 2, 3, 0.05 * static_cast<double>(1 + seed % 5));
    const Mixing found = mixing(model);
    Rng rng{seed, Use::test, 9};
    double worst = 0.0;
    std::vector<int> actions(model.states, 0);
    for (int step = 0; step < 16; ++step) {
      for (int x = 0; x < model.states; ++x) actions[x] = (step >> x) & 1;
      const auto policy = deterministic_policy(model, actions);
      const Eigen::MatrixXd p = dense_chain(model, policy).p;
      const Eigen::RowVectorXd distribution = testing::dense_limit(p).row(0);
      double worst_here = 0.0;
      for (int x = 0; x < model.states; ++x) {
        for (int y = 0; y < model.states; ++y) {
          if (x == y) continue;
          Eigen::RowVectorXd other = distribution;  // moving mass between two states is the extreme case
          other[x] -= 0.5 * distribution[x];
          other[y] += 0.5 * distribution[x];
          worst_here = std::max(worst_here, contraction(distribution, other, p));
        }
        Eigen::RowVectorXd other(model.states);
        for (int y = 0; y < model.states; ++y) other[y] = rng.uniform();
        other /= other.sum();
        EXPECT_LE(contraction(distribution, other, p), found.tau + 1e-12);
      }
      EXPECT_NEAR(mixing(model, policy).tau, worst_here, 1e-9) << "seed " << seed;
      worst = std::max(worst, worst_here);
    }
    EXPECT_NEAR(found.tau, worst, 1e-9) << "seed " << seed;
    EXPECT_NEAR(found.kappa, -1.0 / std::log(found.tau), 1e-9 * found.kappa);
    EXPECT_LE(found.tau, 1.0 - model.teleport + 1e-12);
    const Eigen::MatrixXd distributions = testing::dense_pairs(model);
    const auto gap = distributions.row(model.pair(found.first_state, found.first_action)) -
                     distributions.row(model.pair(found.second_state, found.second_action));
    EXPECT_NEAR(0.5 * gap.lpNorm<1>(), found.tau, 1e-12);
    EXPECT_NE(found.first_state, found.second_state);
    for (int k = 0; k < 20; ++k) {
      const auto policy = random_policy(model, rng);
      EXPECT_LE(mixing(model, policy).tau, found.tau + 1e-12);
      EXPECT_LE(second_eigenvalue(model, policy), mixing(model, policy).tau + 1e-9);
    }
  }
}

TEST(Mixing, DisjointSuccessorsAreInfiniteAndTeleportingBoundsThem) {
  const FiniteModel sea = deep_sea_model(DeepSea{6});
  EXPECT_TRUE(std::isinf(mixing(sea).kappa));
  EXPECT_TRUE(std::isinf(mixing(sea, uniform_policy(sea)).kappa));
  EXPECT_TRUE(std::isinf(mixing(with_laziness(sea, 0.5)).kappa));
  for (const double p : {1e-12, 0.01, 0.3}) {
    const Mixing found = mixing(with_teleport(sea, p));
    EXPECT_DOUBLE_EQ(found.tau, 1.0 - p);
    EXPECT_NEAR(found.kappa * -std::log1p(-p), 1.0, 1e-12);
  }
}

// Transient states are compared with recurrent ones, never with each other.
TEST(Mixing, OnlyPairsWithARecurrentStateCount) {
  Eigen::MatrixXd p(4, 4);
  p << 0.5, 0.5, 0, 0, 0.25, 0.75, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 1, 0;
  const FiniteModel model = chain_model(p, Eigen::VectorXd::Zero(4));
  const Mixing found = mixing(model);
  EXPECT_EQ(found.tau, 1.0);  // states 0 and 3
  EXPECT_TRUE(found.first_state == 3 || found.second_state == 3);
  Eigen::MatrixXd q(4, 4);  // states 2 and 3 are transient with disjoint distributions, each half-overlaps with 0 and 1
  q << 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0;
  EXPECT_NEAR(mixing(chain_model(q, Eigen::VectorXd::Zero(4))).tau, 0.5, 1e-15);
}

TEST(Mixing, EigenvaluesOfKnownChains) {
  const int n = 8;
  Eigen::MatrixXd ring = Eigen::MatrixXd::Zero(n, n);
  for (int x = 0; x < n; ++x) {
    ring(x, (x + 1) % n) += 0.5;
    ring(x, x) += 0.5;
  }
  const FiniteModel lazy_ring = chain_model(ring, Eigen::VectorXd::Zero(n));
  EXPECT_NEAR(second_eigenvalue(lazy_ring, uniform_policy(lazy_ring)), std::cos(M_PI / n), 1e-12);
  const FiniteModel sea = deep_sea_model(DeepSea{4});
  EXPECT_NEAR(second_eigenvalue(sea, uniform_policy(sea)), 1.0, 1e-9);  // periodic
  EXPECT_NEAR(second_eigenvalue(with_teleport(sea, 0.2), uniform_policy(sea)), 0.8, 1e-9);
  FiniteModel large;
  large.states = 1001;
  large.actions = 1;
  EXPECT_THROW(second_eigenvalue(large, std::vector<double>(1001, 1.0)), Error);
}

TEST(Mixing, SDeltaByHand) {
  const double delta = 0.05;
  const std::vector<double> distribution = {0.25, 0.75, 0.0};
  const double expected = std::sqrt(std::log(3.0) / 2) + 0.25 * std::sqrt((std::log(40.0) + std::log(4.0)) / 2) +
                          0.75 * std::sqrt((std::log(40.0) + std::log(4.0 / 3)) / 2);
  EXPECT_NEAR(s_delta(3, distribution, delta), expected, 1e-14);
}

}  // namespace
}  // namespace politex::exact
