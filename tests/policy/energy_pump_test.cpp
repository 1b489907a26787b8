#include "politex/policy/energy_pump.hpp"

#include <gtest/gtest.h>

#include <array>

#include "politex/base/error.hpp"
#include "politex/env/acrobot.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/env/mountain_car.hpp"

namespace politex {
namespace {

TEST(EnergyPump, SwingsUpButDoesNotBalance) {
  const Cartpole cartpole;
  const EnergyPump pump;
  ExplorerMemory memory;
  Rng rng(6);
  double reward = 0;
  const int episodes = 40;
  for (int k = 0; k < episodes; ++k) {
    auto state = cartpole.start(rng);
    std::array<double, 5> seen{};
    for (int t = 0; t < 1000; ++t) {
      cartpole.observe(state, seen);
      std::array<float, 5> x{};
      for (std::size_t j = 0; j < 5; ++j) x[j] = static_cast<float>(seen[j]);
      reward -= cartpole.move(state, pump.act(x, memory, rng), rng).cost;
    }
  }
  // facts: about 175. One episode scatters by about 40, the mean of 40 by 6: 30 is five of that.
  EXPECT_NEAR(reward / episodes, 178, 30);
}

TEST(EnergyPump, ActsAlikeOnFloatsAndDoubles) {
  const Cartpole cartpole;
  const EnergyPump pump;
  ExplorerMemory memory;
  Rng rng(6), wide(3), narrow(3);
  auto state = cartpole.start(rng);
  std::array<float, 5> x{};
  std::array<double, 5> seen{};
  for (int t = 0; t < 500; ++t) {
    cartpole.observe(state, seen);
    for (std::size_t j = 0; j < 5; ++j) seen[j] = static_cast<double>(x[j] = static_cast<float>(seen[j]));
    const Action action = pump.act(x, memory, narrow);
    ASSERT_EQ(pump.act(seen, memory, wide), action);
    cartpole.move(state, action, rng);
  }
}

TEST(EnergyPump, RefusesOtherObservations) {
  EXPECT_NO_THROW(EnergyPump(Cartpole().space()));
  EXPECT_THROW(EnergyPump(Acrobot().space()), ConfigError);
  EXPECT_THROW(EnergyPump(MountainCar().space()), ConfigError);
}

}  // namespace
}  // namespace politex
