#include "politex/network/byte_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "network/byte_memory.hpp"
#include "politex/network/network.hpp"

namespace politex {
namespace {

TEST(ByteLayer, IsTheFloatProductToTheRoundingOfItsWeights) {
  for (const auto& [inputs, units] : {std::pair{128, 512}, {7, 16}, {300, 80}, {2048, 16}}) {
    const auto i = static_cast<std::size_t>(inputs), u = static_cast<std::size_t>(units);
    Rng rng(71);
    std::vector<float> weights(i * u), bias(u);
    for (float& w : weights) w = static_cast<float>(rng.normal());
    for (float& b : bias) b = static_cast<float>(rng.normal());
    const ByteLayer layer(weights.data(), bias.data(), inputs, units);
    test::ByteMemory memory(inputs, 72);
    BytePairs pairs;
    std::vector<ByteChange> changes;
    std::vector<std::int32_t> sums(u);
    std::vector<float> made(u);
    for (int step = 0; step < 50; ++step) {
      const auto& x = memory.move(9);
      pairs.read(x, changes);
      layer.add(changes, sums.data());
      layer.activate(sums.data(), made.data());
      BytePairs all;
      std::vector<std::int32_t> fresh(u);
      all.read(x, changes);
      layer.add(changes, fresh.data());
      ASSERT_EQ(fresh, sums) << step;  // bit for bit the whole product, however many updates
      for (std::size_t k = 0; k < u; ++k) {
        double exact = static_cast<double>(bias[k]), bound = 0, largest = 0;
        for (std::size_t j = 0; j < i; ++j) {
          exact += static_cast<double>(x[j]) * static_cast<double>(weights[j * u + k]);
          bound += static_cast<double>(x[j]);
          largest = std::max(largest, std::abs(static_cast<double>(weights[j * u + k])));
        }
        const double most = std::min(32767, 0x7fff'ffff / (255 * inputs));
        bound *= 0.5 * largest / most;  // half a unit of every weight
        ASSERT_NEAR(static_cast<double>(made[k]), std::max(0.0, exact), bound + 1e-5);
      }
    }
  }
}

TEST(FrozenNetwork, OfBytesAnswersAsItsNetworkDoes) {
  DuelingNetwork network({128, {64, 32}, 9, true});
  Rng rng(5, Use::network);
  network.randomise(rng);
  const FrozenNetwork frozen(network);
  FrozenNetwork::Workspace workspace;
  test::ByteMemory memory(128, 3);
  std::vector<float> frozen_values(9), values(9);
  Tape tape;
  for (int step = 0; step < 20; ++step) {
    const auto& x = memory.move(20);
    frozen.evaluate(x.data(), 1, frozen_values.data(), workspace);
    network.forward(x.data(), 1, values.data(), tape);
    for (std::size_t a = 0; a < 9; ++a) EXPECT_NEAR(frozen_values[a], values[a], 2e-4F);
  }
}

}  // namespace
}  // namespace politex
