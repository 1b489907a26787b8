#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/neural/ring_policy.hpp"
#include "politex/neural/solo.hpp"

namespace politex::neural {
namespace {

double objective(const std::vector<ValueRange>& ranges, const std::vector<double>& scales, double c) {
  double sum = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    sum += scales[i] * std::pow(std::abs(c - ranges[i].middle) + ranges[i].half, 2);
  return sum;
}

TEST(Solo, NormIsTheMinimumByBruteForce) {
  Rng rng(21);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t count = 1 + rng.below(10);
    std::vector<ValueRange> ranges(count);
    std::vector<double> scales(count);
    for (std::size_t i = 0; i < count; ++i) {
      // Every fourth trial draws from few values, so that middles coincide.
      const double middle = trial % 4 == 0 ? static_cast<double>(rng.below(3)) : rng.normal();
      ranges[i] = {middle, trial % 3 == 0 ? 0.0 : std::abs(rng.normal())};
      scales[i] = trial % 2 == 0 ? 1.0 : rng.uniform() + 0.01;
    }
    // Golden section on the convex objective.
    double low = -10, high = 10;
    for (int i = 0; i < 200; ++i) {
      const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
      if (objective(ranges, scales, a) < objective(ranges, scales, b))
        high = b;
      else
        low = a;
    }
    const double expected = objective(ranges, scales, (low + high) / 2);
    auto r = ranges;
    auto s = scales;
    EXPECT_NEAR(solo_norm(r, s), expected, 1e-9 * (1 + expected));
  }
}

TEST(Solo, ByHand) {
  std::vector<ValueRange> one = {{3.0, 2.0}};
  std::vector<double> scale = {1.0};
  EXPECT_DOUBLE_EQ(solo_norm(one, scale), 4.0);
  // Two networks with values (0, 2) and (4, 6): c = 3 is 3 away from the farthest of each.
  std::vector<ValueRange> two = {{1.0, 1.0}, {5.0, 1.0}};
  std::vector<double> scales = {1.0, 1.0};
  EXPECT_DOUBLE_EQ(solo_norm(two, scales), 18.0);
  EXPECT_DOUBLE_EQ(solo_step(10, 3, 18.0), 10 * std::sqrt(2.75) * std::sqrt(std::log(3.0) / 18.0));
}

std::shared_ptr<FrozenNetwork> constant_network(std::vector<float> q) {
  DuelingNetwork network(Shape{1, {1}, static_cast<int>(q.size())});
  const Block& bias = network.blocks().back();
  float mean = 0;
  for (const float v : q) mean += v / static_cast<float>(q.size());
  network.parameters()[static_cast<std::size_t>(bias.offset)] = mean;
  for (std::size_t a = 0; a < q.size(); ++a) network.parameters()[static_cast<std::size_t>(bias.offset) + 1 + a] = q[a];
  return std::make_shared<FrozenNetwork>(network);
}

std::vector<float> probabilities(const RingPolicy& policy, int actions) {
  std::vector<float> p(static_cast<std::size_t>(actions));
  const float x = 0.5F;
  RingPolicy::Workspace room;
  policy.evaluate(&x, 1, p.data(), room);
  return p;
}

TEST(RingPolicy, EmptyAndFlatAreUniform) {
  RingPolicy policy(3, {});
  EXPECT_EQ(probabilities(policy, 3), std::vector<float>(3, 1.0F / 3));
  policy.push(constant_network({2, 2, 2}), 5);
  EXPECT_EQ(probabilities(policy, 3), std::vector<float>(3, 1.0F / 3));
}

TEST(RingPolicy, IsTheDefinitionForBothNormsAndCombinations) {
  const std::vector<std::vector<double>> q = {{0.0, 1.0, 0.4}, {3.0, 2.0, 2.5}, {-1.0, 0.25, 0.0}};
  const std::vector<double> lengths = {1, 2, 5};
  for (const auto combine : {PolicySettings::Combine::sum, PolicySettings::Combine::average})
    for (const auto norm : {PolicySettings::StepNorm::weighted, PolicySettings::StepNorm::plain}) {
      RingPolicy policy(3, {.combine = combine, .step_norm = norm, .alpha = 0.7});
      std::vector<double> w, sum(3), scales;
      std::vector<ValueRange> ranges;
      for (std::size_t i = 0; i < 3; ++i) {
        policy.push(
            constant_network({static_cast<float>(q[i][0]), static_cast<float>(q[i][1]), static_cast<float>(q[i][2])}),
            lengths[i]);
        w.push_back((combine == PolicySettings::Combine::sum ? 3.0 : 1.0) * lengths[i] / 8);
        for (std::size_t a = 0; a < 3; ++a) sum[a] += w[i] * q[i][a];
        const auto [low, high] = std::ranges::minmax(q[i]);
        ranges.push_back({(low + high) / 2, (high - low) / 2});
        scales.push_back(norm == PolicySettings::StepNorm::weighted ? w[i] * w[i] : 1.0);
      }
      double best = 1e300;
      for (double c = -3; c < 4; c += 1e-4) best = std::min(best, objective(ranges, scales, c));
      const double eta = 0.7 * std::sqrt(2.75) * std::sqrt(std::log(3.0) / best);
      const auto p = probabilities(policy, 3);
      const double z = std::exp(-eta * sum[0]) + std::exp(-eta * sum[1]) + std::exp(-eta * sum[2]);
      for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(static_cast<double>(p[a]), std::exp(-eta * sum[a]) / z, 1e-5);
    }
}

TEST(RingPolicy, WithTheWeightedNormSumAndAverageAreOnePolicyAndScaleFree) {
  RingPolicy sum(2, {.combine = PolicySettings::Combine::sum}),
      average(2, {.combine = PolicySettings::Combine::average}), tenfold(2, {});
  for (const float x : {0.01F, 0.03F, -0.005F}) {
    sum.push(constant_network({x, 0}), 3);
    average.push(constant_network({x, 0}), 3);
    tenfold.push(constant_network({10 * x, 0}), 3);
  }
  const auto p = probabilities(sum, 2), q = probabilities(average, 2), r = probabilities(tenfold, 2);
  for (std::size_t a = 0; a < 2; ++a) {
    EXPECT_NEAR(p[a], q[a], 1e-6F);
    EXPECT_NEAR(p[a], r[a], 1e-6F);
  }
}

TEST(RingPolicy, ForgetsTheOldest) {
  RingPolicy policy(2, {.ring = 2});
  policy.push(constant_network({100, -100}), 1);
  policy.push(constant_network({0, 1}), 1);
  policy.push(constant_network({0, 1}), 1);
  EXPECT_EQ(policy.networks(), 2);
  EXPECT_GT(probabilities(policy, 2)[0], 0.99F);
}

TEST(RingPolicy, GreedyMixesWithTheUniform) {
  RingPolicy policy(4, {.kind = PolicySettings::Kind::greedy, .epsilon = 0.2, .ring = 1});
  policy.push(constant_network({3, 1, 2, 5}), 1);
  const auto p = probabilities(policy, 4);
  EXPECT_NEAR(p[1], 0.85F, 1e-6F);
  EXPECT_NEAR(p[0], 0.05F, 1e-6F);
}

TEST(RingPolicy, RefusesSettings) {
  EXPECT_THROW(RingPolicy(3, {.ring = 0}), ConfigError);
  EXPECT_THROW(RingPolicy(3, {.alpha = 0}), ConfigError);
  EXPECT_THROW(RingPolicy(3, {.alpha = std::nan("")}), ConfigError);
}

TEST(Pick, FollowsTheCumulative) {
  const float p[] = {0.25F, 0.5F, 0.25F};
  EXPECT_EQ(pick(p, 3, 0.0), 0);
  EXPECT_EQ(pick(p, 3, 0.2499), 0);
  EXPECT_EQ(pick(p, 3, 0.25), 1);
  EXPECT_EQ(pick(p, 3, 0.7499), 1);
  EXPECT_EQ(pick(p, 3, 0.75), 2);
  EXPECT_EQ(pick(p, 3, 0.99999999), 2);
}

}  // namespace
}  // namespace politex::neural
