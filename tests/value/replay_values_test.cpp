#include "politex/value/replay_values.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

/// Steps of a uniformly random policy in a small deterministic environment of two actions.
struct RandomSteps {
  static constexpr int states = 6;
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  std::int32_t last = 0;

  static std::int32_t next_of(std::int32_t pair) {
    const std::int32_t x = pair / 2;
    return pair % 2 == 0 ? (x + 1) % states : (x * x + 2) % states;
  }
  static double cost_of(std::int32_t pair) { return 0.25 * ((pair * 7) % 5) + (pair == 3 ? -2.0 : 0.0); }

  explicit RandomSteps(int count, double factor = 1.0, std::uint64_t seed = 1) {
    Rng rng(seed, Use::action);
    for (int t = 0; t < count; ++t) {
      pairs.push_back(2 * last + static_cast<std::int32_t>(rng.below(2)));
      costs.push_back(factor * cost_of(pairs.back()));
      last = next_of(pairs.back());
    }
  }
  Phase phase(std::size_t begin, std::size_t end) const {
    const auto count = end - begin;
    Phase made;
    made.pairs = made.model_pairs = std::span(pairs).subspan(begin, count);
    made.costs = std::span(costs).subspan(begin, count);
    made.last_state = end < pairs.size() ? pairs[end] / 2 : last;
    return made;
  }
};

/// Once values and policy have settled, Q solves the linear equations of that policy: V = sum pi Q, Q = c + g V(x').
/// A constant added to all values settles last (g is near 1) and changes no policy: differences are compared.
TEST(ReplayValues, SolveTheEquationsOfTheirPolicy) {
  const RandomSteps steps(400);
  ReplayValues values(RandomSteps::states, 2);
  values.learn(steps.phase(0, 400));
  for (int k = 0; k < 300; ++k) values.learn(steps.phase(400, 400));
  ASSERT_EQ(values.counts().untried_pairs(), 0);

  constexpr int states = RandomSteps::states;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(states, states);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(states);
  for (std::int32_t pair = 0; pair < 2 * states; ++pair) {
    const double p = values.policy()[static_cast<std::size_t>(pair)];
    matrix(pair / 2, RandomSteps::next_of(pair)) -= values.discount() * p;
    right(pair / 2) += p * RandomSteps::cost_of(pair);
    EXPECT_NEAR(values.mean_cost(pair), RandomSteps::cost_of(pair), 1e-12);
  }
  const Eigen::VectorXd solved = matrix.partialPivLu().solve(right);
  const auto q = [&](std::int32_t pair) {
    return RandomSteps::cost_of(pair) + values.discount() * solved(RandomSteps::next_of(pair));
  };
  const double range = [&] {
    double low = q(0), high = q(0);
    for (std::int32_t pair = 1; pair < 2 * states; ++pair) {
      low = std::min(low, q(pair));
      high = std::max(high, q(pair));
    }
    return high - low;
  }();
  EXPECT_GT(range, 1.0);
  for (std::int32_t pair = 1; pair < 2 * states; ++pair)
    EXPECT_NEAR(values.q()[static_cast<std::size_t>(pair)] - values.q()[0], q(pair) - q(0), 0.02 * range) << pair;
}

TEST(ReplayValues, ThePolicyIsBoltzmannInTheScaledQ) {
  const RandomSteps steps(300);
  ReplayValues values(RandomSteps::states, 2);
  values.learn(steps.phase(0, 300));
  for (std::size_t x = 0; x < RandomSteps::states; ++x) {
    const double a = values.q()[2 * x], b = values.q()[2 * x + 1];
    // With two actions the scaled difference is 1.
    const double better = 1.0 / (1.0 + std::exp(-values.beta()));
    EXPECT_NEAR(values.policy()[2 * x], a == b ? 0.5 : a < b ? better : 1.0 - better, 1e-9);
  }
}

TEST(ReplayValues, AFactorOfAllCostsChangesNoBitOfThePolicy) {
  for (const double factor : {0x1p-20, 0.5, 2.0, 0x1p40}) {
    const RandomSteps one(600), scaled(600, factor);
    ReplayValues a(RandomSteps::states, 2), b(RandomSteps::states, 2);
    for (std::size_t begin = 0; begin < 600; begin += 60) {
      a.learn(one.phase(begin, begin + 60));
      b.learn(scaled.phase(begin, begin + 60));
      EXPECT_TRUE(std::ranges::equal(a.policy(), b.policy())) << factor << " " << begin;
      for (std::size_t pair = 0; pair < a.q().size(); ++pair) EXPECT_EQ(factor * a.q()[pair], b.q()[pair]);
    }
  }
}

TEST(ReplayValues, APairNeverTriedIsBetterThanTheRest) {
  // Action 1 of state 0 is never taken.
  const std::vector<std::int32_t> pairs = {0, 2, 0, 3, 0, 2};
  const std::vector<double> costs = {1.0, 2.0, 1.0, 5.0, 1.0, 2.0};
  ReplayValues values(2, 2);
  Phase phase;
  phase.pairs = phase.model_pairs = pairs;
  phase.costs = costs;
  values.learn(phase);
  EXPECT_LT(values.q()[1], values.q()[0]);
  EXPECT_GT(values.policy()[1], 0.5);
  double mean = 0.0, square = 0.0;
  for (const double cost : costs) {
    mean += cost / 6.0;
    square += cost * cost / 6.0;
  }
  EXPECT_NEAR(values.spread(), std::sqrt(square - mean * mean), 1e-12);
}

/// The state after a step that the time limit ended is not a consequence of the action.
TEST(ReplayValues, TruncatedStepsAreNoTransitions) {
  const std::vector<std::int32_t> pairs = {0, 2, 0, 2};
  const std::vector<double> costs = {1.0, 2.0, 1.0, 2.0};
  const std::vector<std::uint8_t> truncated = {0, 1, 0, 0};
  ReplayValues values(2, 2);
  Phase phase;
  phase.pairs = phase.model_pairs = pairs;
  phase.costs = costs;
  phase.truncated = truncated;
  values.learn(phase);
  EXPECT_EQ(values.counts().count(0), 2.0);
  EXPECT_EQ(values.counts().count(2), 1.0);
  EXPECT_EQ(values.steps(), 4);
}

TEST(ReplayValues, AreRestored) {
  const RandomSteps steps(600);
  ReplayValues whole(RandomSteps::states, 2);
  for (std::size_t begin = 0; begin < 600; begin += 60) whole.learn(steps.phase(begin, begin + 60));
  for (std::size_t cut = 60; cut < 600; cut += 60) {
    ReplayValues first(RandomSteps::states, 2), second(RandomSteps::states, 2);
    for (std::size_t begin = 0; begin < cut; begin += 60) first.learn(steps.phase(begin, begin + 60));
    ByteWriter to;
    first.save(to);
    ByteReader from(to.bytes());
    second.restore(from);
    EXPECT_TRUE(from.empty());
    for (std::size_t begin = cut; begin < 600; begin += 60) second.learn(steps.phase(begin, begin + 60));
    EXPECT_TRUE(std::ranges::equal(whole.policy(), second.policy()));
    EXPECT_TRUE(std::ranges::equal(whole.q(), second.q()));
  }
}

}  // namespace
}  // namespace politex
