#include "politex/env/cartpole.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace politex {
namespace {

using Physics = std::array<double, 4>;

constexpr double mass_total = 1.1, lever = 0.05, drop = 0.1 * 0.5 * 9.81;

TEST(Cartpole, OneStepFollowsTheContinuousEquationsOfMotion) {
  // Many tiny midpoint steps of the textbook equations, written independently: RK4 at .01 s agrees to its own order
  // (h^5 times derivatives of the order of 100).
  const Physics start{0.2, 2.1, -0.4, 1.3};
  Physics fine = start;
  const int parts = 20000;
  const double h = 0.01 / parts;
  const double spheres = 0.1 * 4 * 0.045 / (4 * 0.045 + 3), rod = 0.1 - spheres;
  const double inertia =
      rod * (3 * 0.045 * 0.045 + 1) / 12 + spheres * (0.4 * 0.045 * 0.045 + (3 * 0.045 + 2) / 8) + 0.1 * 0.25;
  const auto slope = [&](const Physics& s) -> Physics {
    const double sine = std::sin(s[1]), cosine = std::cos(s[1]);
    const double f = 10.0 - 5e-4 * s[2] + lever * sine * s[3] * s[3];
    const double g = drop * sine - 2e-6 * s[3];
    const double det = mass_total * inertia - lever * cosine * lever * cosine;
    return {s[2], s[3], (inertia * f - lever * cosine * g) / det, (mass_total * g - lever * cosine * f) / det};
  };
  for (int i = 0; i < parts; ++i) {
    const Physics k = slope(fine);
    Physics middle = fine;
    for (int j = 0; j < 4; ++j) middle[j] += h / 2 * k[j];
    const Physics m = slope(middle);
    for (int j = 0; j < 4; ++j) fine[j] += h * m[j];
  }
  const Physics coarse = cartpole_physics(start, 10.0);
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(coarse[j], fine[j], 2e-8);
}

TEST(Cartpole, MirrorImageMovesAsMirrorImage) {
  Physics left{1.7, 2.0, 3.0, -1.0}, right{-1.7, -2.0, -3.0, 1.0};
  for (int t = 0; t < 300; ++t) {
    const double force = t % 7 < 4 ? 10.0 : -10.0;
    left = cartpole_physics(left, force);
    right = cartpole_physics(right, -force);
    for (int j = 0; j < 4; ++j) ASSERT_EQ(left[j], -right[j]);
  }
}

TEST(Cartpole, TheRailHoldsTheCart) {
  Physics s{0, std::numbers::pi, 0, 0};
  double farthest = 0;
  for (int t = 0; t < 2000; ++t) {
    s = cartpole_physics(s, 10.0);
    farthest = std::max(farthest, s[0]);
  }
  EXPECT_GT(farthest, 1.8);
  EXPECT_LT(farthest, 2.1);
}

TEST(Cartpole, PaysWhenUprightSlowAndCentredAndChargesMoves) {
  const Cartpole cartpole;
  Rng rng(1);
  const auto cost = [&](double x, double angle, double spin, Action action) {
    Cartpole::State s{x, angle, 0.0, spin, 0};
    return cartpole.move(s, action, rng).cost;
  };
  EXPECT_EQ(cost(0, 0, 0, 1), -1.0);
  EXPECT_EQ(cost(0, 0, 0, 2), -0.9);
  EXPECT_EQ(cost(0, 1.2, 0, 1), 0.0);   // cos = .36
  EXPECT_EQ(cost(0, 1.0, 0, 1), -1.0);  // cos = .54
  EXPECT_EQ(cost(0, 0, 1.1, 1), 0.0);
  EXPECT_EQ(cost(1.05, 0, 0, 0), 0.1);
  EXPECT_EQ(cost(0, std::numbers::pi, 0, 1), 0.0);
}

TEST(Cartpole, TheTimeLimitTruncatesAndTheLastStateCanBeSeen) {
  const Cartpole cartpole({.episode = 3});
  Rng a(7), b(7);
  auto whole = cartpole.start(a), parts = cartpole.start(b);
  for (int t = 1; t <= 9; ++t) {
    const Step step = cartpole.step(whole, t % 3, a);
    const Step move = cartpole.move(parts, t % 3, b);
    EXPECT_FALSE(move.restarted);
    EXPECT_EQ(step.restarted, t % 3 == 0);
    EXPECT_EQ(cartpole.timed_out(parts), t % 3 == 0);
    if (cartpole.timed_out(parts)) parts = cartpole.start(b);
    EXPECT_EQ(whole.angle, parts.angle);
    EXPECT_EQ(whole.clock, parts.clock);
    EXPECT_EQ(step.cost, move.cost);
  }
}

TEST(Cartpole, ObservesScaledVelocities) {
  std::array<double, 5> seen{};
  Cartpole().observe({0.5, 1.0, 2.0, -3.0, 0}, seen);
  EXPECT_DOUBLE_EQ(seen[0], 0.5);
  EXPECT_DOUBLE_EQ(seen[1], 0.6);
  EXPECT_DOUBLE_EQ(seen[2], std::cos(1.0));
  EXPECT_DOUBLE_EQ(seen[3], std::sin(1.0));
  EXPECT_DOUBLE_EQ(seen[4], -0.9);
}

}  // namespace
}  // namespace politex
