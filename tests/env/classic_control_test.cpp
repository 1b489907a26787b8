#include "politex/env/classic_control.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace politex {
namespace {

// Golden traces: Gymnasium 1.4.0, environment.unwrapped.state after the numbered step, from the start states and the
// rules of action below. The tolerance covers other orders of the same sums, grown over at most 123 steps.
template <std::size_t n>
struct Golden {
  int step;
  std::array<double, n> state;
};

template <class World, std::size_t n, class Act, class Read>
void follow(const World& world, typename World::State state, const std::vector<Golden<n>>& golden, int restart_at,
            double last_cost, Act act, Read read) {
  Rng rng(1);
  const double usual = [&] {
    auto copy = state;
    return world.move(copy, 0, rng).cost;
  }();
  std::size_t next = 0;
  for (int t = 1; t <= restart_at; ++t) {
    const Step moved = world.move(state, act(t - 1, state), rng);
    EXPECT_EQ(moved.restarted, t == restart_at) << t;
    EXPECT_EQ(moved.cost, t == restart_at ? last_cost : usual);
    if (next < golden.size() && golden[next].step == t) {
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(read(state)[j], golden[next].state[j], 1e-10) << t << ' ' << j;
      ++next;
    }
  }
  EXPECT_EQ(next, golden.size());
}

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

TEST(MountainCar, FollowsGymnasium) {
  const std::vector<Golden<2>> golden = {
      {1, {-0.49917684300416926, 0.0008231569958307428}}, {2, {-0.49753668667935325, 0.0016401563248160246}},
      {5, {-0.4878667790130396, 0.0039936699885738235}},  {10, {-0.4576895848965753, 0.007254692062725155}},
      {20, {-0.3672876486027321, 0.009535864306450342}},  {50, {-0.44202962309144084, -0.026966047969384028}},
      {123, {0.4867590046369085, 0.04746671407921286}}};
  follow(
      MountainCar(), {-.5, 0, 0}, golden, 124, 0.0, [](int, const auto& s) { return s.velocity >= 0 ? 2 : 0; },
      [](const MountainCar::State& s) {
        return std::array{s.position, s.velocity};
      });
}

TEST(MountainCar, TheLeftWallStops) {
  MountainCar world;
  Rng rng(1);
  MountainCar::State s{-1.19, -0.06, 0};
  EXPECT_FALSE(world.move(s, 0, rng).restarted);
  EXPECT_EQ(s.position, -1.2);
  EXPECT_EQ(s.velocity, 0.0);
}

TEST(Acrobot, FollowsGymnasium) {
  const std::vector<Golden<4>> golden = {
      {1, {0.03396426807716706, 0.014028356136744108, -0.175464650251537, 0.4197156022652691}},
      {2, {-0.016231987471804495, 0.12979767440777507, -0.31232424373614626, 0.7094698215459034}},
      {5, {-0.18509655412553686, 0.5336148554445229, -0.10638372939414897, 0.34837645384447724}},
      {10, {0.30755042190567783, -0.6032511839828272, 0.5381740270459108, -1.6739864064187457}},
      {20, {-0.1741899398582698, 0.950841727636307, 1.579212799690353, -1.727515648387655}},
      {50, {1.4245876120845717, -2.0310535769420115, 2.010323515456376, -3.2750237076397988}},
      {72, {-1.2724474010734244, -2.590979639448653, -3.031440441022862, 4.627411003002811}}};
  follow(
      Acrobot(), {.05, -.03, .02, .01, 0}, golden, 73, 0.0,
      [](int, const auto& s) { return s.elbow_rate >= 0 ? 2 : 0; },
      [](const Acrobot::State& s) {
        return std::array{s.angle, s.elbow, s.angle_rate, s.elbow_rate};
      });
}

template <class World>
class Clocked : public testing::Test {};
using Worlds = testing::Types<CartpoleBalance, MountainCar, Acrobot>;
TYPED_TEST_SUITE(Clocked, Worlds);

TYPED_TEST(Clocked, TheClockRestartsAndObservationsStayOfOrderOne) {
  const TypeParam world(7);
  Rng rng(3);
  auto state = world.start(rng);
  std::array<double, 6> seen{};
  int since = 0;
  for (int t = 0; t < 500; ++t) {
    ++since;
    const Step step = world.step(state, static_cast<int>(rng.below(static_cast<std::uint64_t>(world.actions()))), rng);
    EXPECT_LE(since, 7);
    EXPECT_TRUE(since < 7 || step.restarted);
    if (step.restarted) since = 0;
    EXPECT_EQ(state.clock, since);
    world.observe(state, seen);
    for (int j = 0; j < world.observation_size(); ++j) EXPECT_LT(std::abs(seen[static_cast<std::size_t>(j)]), 5.0);
  }
}

}  // namespace
}  // namespace politex
