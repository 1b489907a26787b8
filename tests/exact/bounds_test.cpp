#include "politex/exact/bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/mixing.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/exact/transient.hpp"

namespace politex::exact {
namespace {

using testing::chain_model;
using testing::dense_chain;
using testing::random_model;
using testing::random_policy;

// The exact bias of a rollout of s costs from x, with lambda* = the last cost.
RolloutBias rollout_bias(const Eigen::MatrixXd& p, const Eigen::VectorXd& cost, const Evaluation& exact, int follow) {
  Eigen::VectorXd expected = cost, total = Eigen::VectorXd::Zero(cost.size());
  for (int k = 1; k <= follow; ++k) {
    total += expected;
    if (k < follow) expected = (p * expected).eval();
  }
  const Eigen::Map<const Eigen::VectorXd> gain(exact.gain.data(), cost.size()), bias(exact.bias.data(), cost.size());
  return {(gain - expected).cwiseAbs().maxCoeff(), (total - follow * expected - bias).cwiseAbs().maxCoeff()};
}

TEST(Bounds, TwoStatesRefuteThePrintedBiasLemma) {
  const Eigen::Matrix2d p{{0.55, 0.45}, {0.45, 0.55}};
  const Eigen::Vector2d cost{1.0, -1.0};
  const FiniteModel model = chain_model(p, cost);
  const Evaluation exact = evaluate(model, uniform_policy(model));
  const Mixing mixed = mixing(model);
  const RolloutBias measured = rollout_bias(p, cost, exact, 2);
  const RolloutBias printed = printed_rollout_bias(mixed.kappa, 1.0, 2);
  EXPECT_NEAR(measured.gain, 0.10, 1e-12);
  EXPECT_NEAR(printed.gain, 0.02, 1e-12);
  EXPECT_NEAR(measured.value, 0.2111, 1e-4);
  EXPECT_NEAR(printed.value, 0.060, 1e-12);
  const RolloutBias corrected = rollout_bias_bound(mixed.tau, 2.0, exact.bias[0], 2);
  EXPECT_LE(measured.gain, corrected.gain);
  EXPECT_LE(measured.value, corrected.value);
}

TEST(Bounds, TheCorrectedBiasLemmaHoldsForEveryStartAndLength) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FiniteModel model =
        random_model(seed, 2 + static_cast<int>(seed % 6), 2, 3, 0.1 * static_cast<double>(1 + seed % 8));
    Rng rng{seed};
    const auto policy = random_policy(model, rng);
    const Evaluation exact = evaluate(model, policy);
    const auto chain = dense_chain(model, policy);
    const double tau = mixing(model, policy).tau, range = chain.cost.maxCoeff() - chain.cost.minCoeff();
    double largest = 0.0;
    for (const double h : exact.bias) largest = std::max(largest, std::abs(h));
    for (int follow = 1; follow <= 12; ++follow) {
      const RolloutBias measured = rollout_bias(chain.p, chain.cost, exact, follow);
      const RolloutBias bound = rollout_bias_bound(tau, range, largest, follow);
      EXPECT_LE(measured.gain, bound.gain + 1e-12) << "seed " << seed << " s " << follow;
      EXPECT_LE(measured.value, bound.value + 1e-12) << "seed " << seed << " s " << follow;
    }
  }
}

TEST(Bounds, TransientCostsRespectTheBoundForEverySegment) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = random_model(seed + 100, 6, 2, 2, 0.15);
    Rng rng{seed};
    const auto policy = random_policy(model, rng);
    const Evaluation exact = evaluate(model, policy);
    const double range = *std::ranges::max_element(model.cost) - *std::ranges::min_element(model.cost);
    const Noise bound = noise_bound(mixing(model, policy).tau, range, 1.0, 1.0, 0.1);
    for (const std::int64_t length : {1, 2, 5, 50}) {
      for (const double transient : transient_cost(model, policy, exact, length)) {
        EXPECT_LE(std::abs(transient), bound.transient);
      }
    }
  }
}

// A model with independent states has kappa = 0: the printed bound claims that its noise vanishes.
TEST(Bounds, IndependentCostsRefuteThePrintedNoiseLemma) {
  const Eigen::Matrix2d p{{0.5, 0.5}, {0.5, 0.5}};
  const FiniteModel model = chain_model(p, Eigen::Vector2d{1.0, -1.0});
  const Mixing mixed = mixing(model);
  EXPECT_EQ(mixed.tau, 0.0);
  EXPECT_EQ(mixed.kappa, 0.0);
  const RunShape shape{.steps = 1e4, .phases = 10, .rollouts = 10, .follow = 90, .explore = 9};
  const PrintedNoise printed = printed_noise(mixed.kappa, 1.0, shape, 0.05);
  EXPECT_EQ(printed.w, 0.0);
  EXPECT_EQ(printed.v_appendix_proof, 0.0);
  EXPECT_GT(noise_bound(mixed.tau, 2.0, shape.steps, 1, 0.05).martingale, std::sqrt(shape.steps));
}

// The claim is a failure rate of at most delta = .2. If it were exactly .2, more than 70 failures in 200 independent
// runs would have probability below 1e-6; the seeds are fixed.
TEST(Bounds, TheCorrectedNoiseBoundHoldsAtItsConfidence) {
  constexpr int runs = 200, segments = 20, length = 50;
  constexpr double delta = 0.2;
  const FiniteModel model = random_model(21, 6, 2, 3, 0.4);
  const double range = *std::ranges::max_element(model.cost) - *std::ranges::min_element(model.cost);
  const Noise bound = noise_bound(mixing(model).tau, range, segments * length, segments, delta);
  Rng policies{21};
  std::vector<std::vector<double>> policy;
  std::vector<double> gain;
  for (int k = 0; k < segments; ++k) {
    policy.push_back(random_policy(model, policies));
    gain.push_back(evaluate(model, policy.back()).gain[0]);
  }
  const Eigen::MatrixXd distributions = testing::dense_pairs(model);
  int failures = 0;
  for (int run = 0; run < runs; ++run) {
    Rng rng{static_cast<std::uint64_t>(run), Use::test, 21};
    int x = 0;
    double sum = 0.0;
    for (int t = 0; t < segments * length; ++t) {
      const auto& now = policy[t / length];
      const int pair = model.pair(x, rng.uniform() < now[model.pair(x, 0)] ? 0 : 1);
      sum += model.cost[pair] - gain[t / length];
      double draw = rng.uniform();
      for (x = 0; x + 1 < model.states && draw >= distributions(pair, x); ++x) draw -= distributions(pair, x);
    }
    failures += std::abs(sum) > bound.total() ? 1 : 0;
  }
  EXPECT_LE(failures, 70);
}

TEST(Bounds, PremiseOfTheBiasLemma) {
  EXPECT_NEAR(bias_premise(2.0), 1.4e6, 0.1e6);
  EXPECT_NEAR(bias_premise(3.0), 1.8e7, 0.1e7);
  EXPECT_NEAR(bias_premise(5.0), 4.5e8, 0.1e8);
  for (const double kappa : {0.5, 2.0, 7.0}) {
    const double t = bias_premise(kappa), u = std::pow(t, 0.2);
    EXPECT_NEAR(u, 2.0 * kappa * std::log(4.0 * u), 1e-9 * u);
    EXPECT_LT(2.0 * kappa * std::log(8.0 * u), 2.0 * u);  // and it holds beyond
  }
  EXPECT_EQ(bias_premise(0.1), 0.0);
}

TEST(Bounds, PrintedFormulasByHand) {
  const RunShape shape{.steps = 1000, .phases = 4, .rollouts = 5, .follow = 40, .explore = 9};
  const PrintedNoise printed = printed_noise(2.0, 3.0, shape, 0.1);
  EXPECT_NEAR(printed.w, 3.0 * (2.0 + 8.0 * std::sqrt(2000.0 * std::log(20.0))), 1e-9);
  EXPECT_NEAR(printed.v_main_text, 3.0 * (40.0 + 32.0 * std::sqrt(800.0 * std::log(4000.0))), 1e-9);
  EXPECT_NEAR(printed.v_appendix, 3.0 * (40.0 + 32.0 * std::sqrt(800.0 * std::log(20000.0))), 1e-9);
  EXPECT_NEAR(printed.v_appendix_proof, 3.0 * (80.0 + 32.0 * std::sqrt(800.0 * std::log(4900.0))), 1e-9);
  EXPECT_NEAR(pseudo_regret_bound(shape, 0.5, 7.0, 1.5), 1000.0 + 2.0 * 200.0 * 7.0 * 1.5, 1e-9);
  EXPECT_TRUE(std::isinf(noise_bound(1.0, 1.0, 10, 1, 0.1).total()));
}

}  // namespace
}  // namespace politex::exact
