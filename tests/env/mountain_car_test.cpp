#include "politex/env/mountain_car.hpp"

#include <gtest/gtest.h>

#include "env/gymnasium_traces.hpp"
#include "politex/base/error.hpp"

namespace politex {
namespace {

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
  MountainCar environment;
  Rng rng(1);
  MountainCar::State s{-1.19, -0.06, 0};
  EXPECT_FALSE(environment.move(s, 0, rng).restarted);
  EXPECT_EQ(s.position, -1.2);
  EXPECT_EQ(s.velocity, 0.0);
}

TEST(MountainCar, TheTimeLimitRestartsAndObservationsStayOfOrderOne) { expect_a_time_limit<MountainCar>(); }

TEST(MountainCar, RefusesATimeLimitBelowOne) {
  EXPECT_THROW(MountainCar(0), ConfigError);
  EXPECT_EQ(MountainCar(1).space().time_limit, 1);
}

}  // namespace
}  // namespace politex
