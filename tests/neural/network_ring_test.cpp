#include "politex/neural/network_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace politex::neural {
namespace {

DuelingNetwork random_network(const Shape& shape, std::uint64_t seed) {
  DuelingNetwork network(shape);
  Rng rng(seed, Use::network);
  network.randomise(rng);
  return network;
}

std::vector<float> probabilities(const RingPolicy& policy) {
  const std::vector<float> state = {0.3F, -0.7F};
  std::vector<float> result(3);
  RingPolicy::Workspace workspace;
  policy.evaluate(state.data(), 1, result.data(), workspace);
  return result;
}

TEST(NetworkRing, KeepsTheNewestAndIsTheirPolicy) {
  const Shape shape{2, {8}, 3};
  PolicySettings settings;
  settings.ring = 3;
  NetworkRing ring(shape, settings);
  for (std::uint64_t k = 1; k <= 5; ++k) ring.push(random_network(shape, k), static_cast<double>(k));
  RingPolicy expected(3, settings);
  ASSERT_EQ(ring.networks().size(), 3U);
  for (std::uint64_t k = 3; k <= 5; ++k) {
    const DuelingNetwork network = random_network(shape, k);
    EXPECT_TRUE(std::ranges::equal(ring.networks()[k - 3].parameters(), network.parameters()));
    EXPECT_EQ(ring.lengths()[k - 3], static_cast<double>(k));
    expected.push(std::make_shared<FrozenNetwork>(network), static_cast<double>(k));
  }
  EXPECT_EQ(probabilities(ring.policy()), probabilities(expected));
}

TEST(NetworkRing, RestoredItIsTheSamePolicy) {
  const Shape shape{2, {8}, 3};
  NetworkRing ring(shape, {}), other(shape, {});
  for (std::uint64_t k = 1; k <= 4; ++k) ring.push(random_network(shape, k), static_cast<double>(k));
  other.push(random_network(shape, 9), 1.0);
  ByteWriter saved;
  ring.save(saved);
  ByteReader from(saved.bytes());
  other.restore(from);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(other.networks().size(), 4U);
  EXPECT_EQ(probabilities(other.policy()), probabilities(ring.policy()));
}

}  // namespace
}  // namespace politex::neural
