#include "politex/env/cartpole_balance.hpp"

#include <gtest/gtest.h>

#include "env/gymnasium_traces.hpp"
#include "politex/base/error.hpp"

namespace politex {
namespace {

TEST(CartpoleBalance, FollowsGymnasium) {
  const std::vector<Golden<4>> golden = {
      {1, {0.009600000000000001, -0.21553901710278936, 0.030799999999999998, 0.34199522377603914}},
      {2, {0.005289219657944213, -0.020868498014729647, 0.03763990447552078, 0.059181706756417596}},
      {5, {0.007906519414079934, 0.17265181365319435, 0.036061303742801455, -0.19835542243183885}},
      {10, {0.0016589749189017365, -0.02515698267378999, 0.05353730581534411, 0.15395134055810628}},
      {20, {-0.00022288660142899454, -0.03465363877820943, 0.09513358847282567, 0.3647665257843118}},
      {30, {-0.0047217118639379324, -0.05338828488506539, 0.19530018594265586, 0.7904132010962069}}};
  constexpr std::array<int, 8> actions = {0, 1, 1, 0, 1, 0, 0, 1};
  follow(
      CartpoleBalance(), {.01, -.02, .03, .04, 0}, golden, 31, 0.0,
      [&](int t, const auto&) { return actions[static_cast<std::size_t>(t % 8)]; },
      [](const CartpoleBalance::State& s) {
        return std::array{s.position, s.velocity, s.angle, s.spin};
      });
}

TEST(CartpoleBalance, TheTimeLimitRestartsAndObservationsStayOfOrderOne) { expect_a_time_limit<CartpoleBalance>(); }

TEST(CartpoleBalance, RefusesATimeLimitBelowOne) {
  EXPECT_THROW(CartpoleBalance(0), ConfigError);
  EXPECT_EQ(CartpoleBalance(1).space().time_limit, 1);
}

}  // namespace
}  // namespace politex
