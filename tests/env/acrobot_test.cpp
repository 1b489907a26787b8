#include "politex/env/acrobot.hpp"

#include <gtest/gtest.h>

#include "env/gymnasium_traces.hpp"
#include "politex/base/error.hpp"

namespace politex {
namespace {

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

TEST(Acrobot, TheTimeLimitRestartsAndObservationsStayOfOrderOne) { expect_a_time_limit<Acrobot>(); }

TEST(Acrobot, RefusesATimeLimitBelowOne) {
  EXPECT_THROW(Acrobot(0), ConfigError);
  EXPECT_EQ(Acrobot(1).space().time_limit, 1);
}

}  // namespace
}  // namespace politex
