#include "politex/neural/ring_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "network/byte_memory.hpp"
#include "neural/solo_objective.hpp"
#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

using test::objective;

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
  RingPolicy::Workspace workspace;
  policy.evaluate(&x, 1, p.data(), workspace);
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

RingPolicy byte_ring(int inputs, int networks, const std::vector<int>& hidden) {
  RingPolicy policy(3, {});
  for (int k = 0; k < networks; ++k) {
    DuelingNetwork network({inputs, hidden, 3, true});
    Rng rng(static_cast<std::uint64_t>(k), Use::network);
    network.randomise(rng);
    policy.push(std::make_shared<FrozenNetwork>(network), 10.0 + k);
  }
  return policy;
}

TEST(RingPolicy, RecallChangesNoBit) {
  for (const auto& hidden : {std::vector{32}, std::vector{24, 40}}) {
    RingPolicy policy = byte_ring(20, 4, hidden);
    std::vector<Recall> recalls(2);
    std::vector<politex::test::ByteMemory> memories = {politex::test::ByteMemory(20, 1),
                                                       politex::test::ByteMemory(20, 2)};
    RingPolicy::Workspace workspace;
    for (int step = 0; step < 60; ++step) {
      std::vector<float> x;
      for (politex::test::ByteMemory& memory : memories) {
        const auto& seen = memory.move(3);
        x.insert(x.end(), seen.begin(), seen.end());
      }
      std::vector<float> with(6), without(6);
      policy.evaluate(x.data(), 2, with.data(), workspace,
                      [&](int r) -> Recall& { return recalls[static_cast<std::size_t>(r)]; });
      policy.evaluate(x.data(), 2, without.data(), workspace);
      ASSERT_EQ(with, without) << step;
      if (step == 30) policy = byte_ring(20, 5, hidden);  // another ring: what was summed is of no use
    }
  }
}

}  // namespace
}  // namespace politex::neural
