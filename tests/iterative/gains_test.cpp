#include "politex/iterative/gains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact/random_models.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/env/model_builder.hpp"
#include "politex/env/queue_network.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex {
namespace {

using exact::testing::random_model;
using exact::testing::random_policy;

IteratedPolicy iterate(const FiniteModel& model, std::span<const double> policy) {
  const exact::Chain chain = exact::chain_of(model, policy);
  return iterate_policy(chain.rows, chain.cost, chain.teleport, model.start);
}

TEST(Gains, BracketsContainTheGainsThatEliminationFinds) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = random_model(seed, 30, 3, 4, seed % 2 == 0 ? 0.1 : 0.0);
    Rng rng{seed, Use::test, 5};
    const auto policy = random_policy(model, rng);
    const exact::Evaluation exact = exact::evaluate(model, policy);
    const IteratedPolicy found = iterate(model, policy);
    for (const double gain : exact.gain) {
      EXPECT_LE(found.gain.low, gain) << seed;
      EXPECT_GE(found.gain.high, gain) << seed;
    }
    const exact::Optimum best = exact::optimum(model);
    const IteratedOptimum iterated = iterate_optimum(model, std::vector<int>(30, 0));
    for (const double gain : best.gain) {
      EXPECT_LE(iterated.gain.low, gain + 1e-15) << seed;
      EXPECT_GE(iterated.gain.high, gain - 1e-15) << seed;
    }
    const exact::Evaluation attained = exact::evaluate(model, exact::deterministic_policy(model, iterated.action));
    for (const double gain : attained.gain) EXPECT_LE(gain, iterated.gain.high + 1e-15) << seed;
    if (!exact.unichain()) continue;
    EXPECT_LE(found.gain.width(), narrow_bounds) << seed;
    EXPECT_LE(found.imbalance, 1e-12) << seed;
    for (std::size_t x = 0; x < 30; ++x) EXPECT_NEAR(found.stationary[x], exact.stationary[x], 1e-12) << seed;
    for (std::size_t x = 0; x < 30; ++x)
      EXPECT_NEAR(found.bias[x], exact.bias[x] - exact.bias[static_cast<std::size_t>(model.start)], 1e-7) << seed;
  }
}

TEST(Gains, OptimaOfOneClassCloseTheirBracket) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FiniteModel model = garnet_model({.states = 2000, .actions = 3, .branching = 3, .model_seed = seed});
    const IteratedOptimum found = iterate_optimum(model, std::vector<int>(2000, 0));
    EXPECT_LE(found.gain.width(), narrow_bounds) << seed;
  }
}

// A cycle of n states, in which state 0 costs 1: the gain is 1/n, and powers of P never converge.
TEST(Gains, PeriodicChains) {
  for (const int n : {2, 3, 500, 9973}) {
    ModelBuilder builder("cycle", 1);
    for (int x = 0; x < n; ++x) {
      builder.add((x + 1) % n, 1.0);
      builder.end_pair(x == 0 ? 1.0 : 0.0);
    }
    const FiniteModel model = std::move(builder).finish(n, 0);
    const IteratedPolicy found = iterate(model, exact::uniform_policy(model));
    EXPECT_LE(found.gain.low, 1.0 / n + 1e-15) << n;
    EXPECT_GE(found.gain.high, 1.0 / n - 1e-15) << n;
    EXPECT_LE(found.gain.width(), 1e-8) << n;
    EXPECT_NEAR(found.stationary[static_cast<std::size_t>(n / 2)], 1.0 / n, 1e-12) << n;
  }
}

// A birth-death chain with ratio r has the stationary distribution r^x (1 - r) / (1 - r^n).
TEST(Gains, LongBirthDeathChains) {
  constexpr int n = 5000;
  for (const double ratio : {0.9, 0.999}) {
    const double up = 0.4 * ratio, down = 0.4;
    ModelBuilder builder("line", 1);
    for (int x = 0; x < n; ++x) {
      builder.add(std::min(n - 1, x + 1), up);
      builder.add(std::max(0, x - 1), down);
      builder.add(x, 1.0 - up - down);
      builder.end_pair(x);
    }
    const FiniteModel model = std::move(builder).finish(n, 0);
    const double all = std::pow(ratio, n);
    const double mean = ratio / (1.0 - ratio) - n * all / (1.0 - all);
    const IteratedPolicy found = iterate(model, exact::uniform_policy(model));
    EXPECT_LE(found.gain.low, mean * (1.0 + 1e-13)) << ratio;
    EXPECT_GE(found.gain.high, mean * (1.0 - 1e-13)) << ratio;
    // The bias is of the size of x^2 / drift, and cannot be written more accurately.
    const double size = std::ranges::max(found.bias, {}, [](double h) { return std::abs(h); });
    EXPECT_LE(found.gain.width(), 1e-8 * std::max(1.0, mean) + 10.0 * 2.3e-16 * std::abs(size)) << ratio;
  }
}

// Two closed classes with costs 0 and 1: no common gain, and the bracket says so.
TEST(Gains, SeveralClassesLeaveTheBracketOpen) {
  ModelBuilder builder("two", 1);
  for (int x = 0; x < 1000; ++x) {
    builder.add((x + 2) % 1000, 0.5);
    builder.add(x, 0.5);
    builder.end_pair(x % 2);
  }
  const FiniteModel model = std::move(builder).finish(1000, 0);
  const IteratedPolicy found = iterate(model, exact::uniform_policy(model));
  EXPECT_LE(found.gain.low, 0.0);
  EXPECT_GE(found.gain.high, 1.0);
  const IteratedOptimum best = iterate_optimum(model, std::vector<int>(1000, 0));
  EXPECT_LE(best.gain.low, 0.0);
  EXPECT_GE(best.gain.high, 1.0);
}

TEST(Gains, DeepSeaAndQueues) {
  const FiniteModel sea = compile(DeepSea(60), "deep_sea", 60, 0);
  const IteratedOptimum deepest = iterate_optimum(sea, std::vector<int>(3600, 0));
  EXPECT_LE(deepest.gain.low, -1.5);
  EXPECT_GE(deepest.gain.high, -1.5);
  EXPECT_LE(deepest.gain.width(), 1e-8);
  // 2.8289 without a limit on the queues (computed independently).
  const FiniteModel queues = network_model(criss_cross_network({.buffer = 24}), "x");
  const IteratedOptimum found = iterate_optimum(queues, std::vector<int>(15'625, 0));
  EXPECT_NEAR(found.gain.middle(), 2.8289, 1e-4);
  EXPECT_LE(found.gain.width(), 1e-9);
}

TEST(Gains, ShowsBoundsThatOnlyBecomeNarrower) {
  const FiniteModel model = garnet_model({.states = 500, .actions = 2, .branching = 3});
  GainBounds before{.low = -1e300, .high = 1e300};
  int calls = 0;
  const auto show = [&](const IterationProgress& now) {
    EXPECT_GE(now.bounds.low, before.low);
    EXPECT_LE(now.bounds.high, before.high);
    EXPECT_GT(now.wanted, 0.0);
    before = now.bounds;
    ++calls;
  };
  const IteratedOptimum found = iterate_optimum(model, std::vector<int>(500, 0), show);
  EXPECT_GT(calls, 3);
  EXPECT_EQ(found.gain.low, before.low);
  EXPECT_EQ(found.gain.high, before.high);
}

TEST(Gains, SumsThatAreNearlyOneMeanTheNearestProbabilities) {
  FiniteModel model = garnet_model({.states = 200, .actions = 2, .branching = 3});
  const double gain = exact::optimum(model).gain[0];
  for (double& p : model.probability) p *= 1.0 + 8e-10;
  const IteratedOptimum found = iterate_optimum(model, std::vector<int>(200, 0));
  EXPECT_LE(found.gain.low, gain + 1e-14);
  EXPECT_GE(found.gain.high, gain - 1e-14);
}

}  // namespace
}  // namespace politex
