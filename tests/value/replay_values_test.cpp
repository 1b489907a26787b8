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

TEST(ReplayValues, ThePolicyIsBoltzmannInTheScaledIndex) {
  const RandomSteps steps(300);
  ReplayValues values(RandomSteps::states, 2);
  values.learn(steps.phase(0, 300));
  for (std::size_t x = 0; x < RandomSteps::states; ++x) {
    const double a = values.index()[2 * x], b = values.index()[2 * x + 1];
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

/// Random steps with chance in costs and successors; action 2 is only tried in even states, action 3 never.
struct NoisySteps {
  static constexpr int states = 5, actions = 4;
  std::vector<std::int32_t> pairs, next;
  std::vector<double> costs;

  explicit NoisySteps(int count) {
    Rng rng(3, Use::environment);
    std::int32_t state = 0;
    for (int t = 0; t < count; ++t) {
      const auto action = static_cast<std::int32_t>(rng.below(state % 2 == 0 ? 3 : 2));
      pairs.push_back(actions * state + action);
      costs.push_back(state + 0.5 * action + rng.normal());
      state = static_cast<std::int32_t>((state + 1 + static_cast<int>(rng.below(2)) * (action + 1)) % states);
      next.push_back(state);
    }
  }
  Phase phase(std::size_t count) const {
    Phase made;
    made.pairs = made.model_pairs = std::span(pairs).first(count);
    made.costs = std::span(costs).first(count);
    made.last_state = count > 0 ? next[count - 1] : next.back();
    return made;
  }
};

/// The samples c + g V(next) of each pair once more, from the list of steps: their mean is Q, and their variance and
/// that of the state's samples make the index.
TEST(ReplayValues, TheIndexIsQMinusTheErrorOfTheSamples) {
  constexpr int states = NoisySteps::states, actions = NoisySteps::actions;
  const NoisySteps steps(200);
  ReplayValues values(states, actions);
  values.learn(steps.phase(200));
  for (int k = 0; k < 10'000; ++k) values.learn(steps.phase(0));  // until V has settled
  const double g = values.discount();
  for (std::int32_t x = 0; x < states; ++x) {
    const auto first = static_cast<std::size_t>(actions * x);
    std::vector<double> n(actions), mean(actions), cost(actions), ahead(actions), scatter(actions);
    double visits = 0.0, state_ahead = 0.0;
    const auto each_sample = [&](auto&& use) {
      for (std::size_t t = 0; t < steps.pairs.size(); ++t)
        if (steps.pairs[t] / actions == x)
          use(static_cast<std::size_t>(steps.pairs[t] % actions), steps.costs[t],
              g * values.values()[static_cast<std::size_t>(steps.next[t])]);
    };
    each_sample([&](std::size_t a, double, double) { n[a] += 1.0; });
    each_sample([&](std::size_t a, double c, double v) {
      cost[a] += c / n[a];
      ahead[a] += v / n[a];
      visits += 1.0;
      state_ahead += v;
    });
    state_ahead /= visits;
    double state_scatter = 0.0;
    each_sample([&](std::size_t a, double c, double v) {
      const double own = (c - cost[a]) * (c - cost[a]);
      scatter[a] += own + (v - ahead[a]) * (v - ahead[a]);
      state_scatter += own + (v - state_ahead) * (v - state_ahead);
    });
    double least = 1e300, tried = 0.0;
    for (std::size_t a = 0; a < actions; ++a)
      if (n[a] > 0.0) {
        const double q = cost[a] + ahead[a];
        EXPECT_NEAR(values.q()[first + a], q, 1e-6);
        EXPECT_NEAR(values.index()[first + a],
                    q - std::sqrt(scatter[a] / n[a] / n[a] + state_scatter / visits / n[a] / n[a]), 1e-6);
        least = std::min(least, q);
        tried += 1.0;
      }
    ASSERT_EQ(tried, x % 2 == 0 ? 3.0 : 2.0);
    const double untried = least - std::max(0.0, least - values.untried()) / tried;
    EXPECT_NEAR(values.q()[first + 3], untried, 1e-6);
    EXPECT_EQ(values.q()[first + 3], values.index()[first + 3]);
    double value = 0.0;
    for (std::size_t a = 0; a < actions; ++a) value += values.policy()[first + a] * values.q()[first + a];
    EXPECT_NEAR(values.values()[static_cast<std::size_t>(x)], value, 1e-6);
  }
}

/// One unlucky try of an action does not end its use: the other action's samples say how much chance there is.
TEST(ReplayValues, OneBadSampleAmongChanceIsTriedAgain) {
  // From state 0 action 0 led 10 times to the good state 1 and 30 times to the bad state 2; action 1 once to the bad.
  std::vector<std::int32_t> pairs;
  std::vector<double> costs;
  const auto visit = [&](std::int32_t action, std::int32_t next) {
    pairs.push_back(action);
    costs.push_back(0.0);
    pairs.push_back(2 * next);
    costs.push_back(next == 1 ? -1.0 : 1.0);
    pairs.push_back(2 * next + 1);
    costs.push_back(next == 1 ? -1.0 : 1.0);
  };
  for (int k = 0; k < 10; ++k) {
    visit(0, 1);
    for (int bad = 0; bad < 3; ++bad) visit(0, 2);
  }
  visit(1, 2);
  // The second step in states 1 and 2 leads back to 0, the first stays.
  ReplayValues values(3, 2);
  Phase phase;
  phase.pairs = phase.model_pairs = pairs;
  phase.costs = costs;
  values.learn(phase);
  EXPECT_GT(values.q()[1], values.q()[0]);
  EXPECT_LT(values.index()[1], values.index()[0]);
  EXPECT_GT(values.policy()[1], 0.5);
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
