// What the tests of the environments with Gymnasium's rules share.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "politex/env/environment.hpp"

namespace politex {

// Golden traces: Gymnasium 1.4.0, environment.unwrapped.state after the numbered step, from the start states and the
// rules of action below. The tolerance covers other orders of the same sums, grown over at most 123 steps.
template <std::size_t n>
struct Golden {
  int step;
  std::array<double, n> state;
};

template <class Environment, std::size_t n, class Act, class Read>
void follow(const Environment& environment, typename Environment::State state, const std::vector<Golden<n>>& golden,
            int restart_at, double last_cost, Act act, Read read) {
  Rng rng(1);
  const double usual = [&] {
    auto copy = state;
    return environment.move(copy, 0, rng).cost;
  }();
  std::size_t next = 0;
  for (int t = 1; t <= restart_at; ++t) {
    const Step moved = environment.move(state, act(t - 1, state), rng);
    EXPECT_EQ(moved.restarted, t == restart_at) << t;
    EXPECT_EQ(moved.cost, t == restart_at ? last_cost : usual);
    if (next < golden.size() && golden[next].step == t) {
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(read(state)[j], golden[next].state[j], 1e-10) << t << ' ' << j;
      ++next;
    }
  }
  EXPECT_EQ(next, golden.size());
}

/// The time limit of 7 steps truncates, and observations stay of order one.
template <class Environment>
void expect_a_time_limit() {
  const Environment environment(7);
  Rng rng(3);
  auto state = environment.start(rng);
  std::array<double, 6> seen{};
  int since = 0;
  for (int t = 0; t < 500; ++t) {
    ++since;
    const Step step =
        environment.step(state, static_cast<int>(rng.below(static_cast<std::uint64_t>(environment.actions()))), rng);
    EXPECT_LE(since, 7);
    EXPECT_TRUE(since < 7 || step.restarted);
    if (step.restarted) since = 0;
    EXPECT_EQ(state.clock, since);
    environment.observe(state, seen);
    for (int j = 0; j < environment.observation_size(); ++j)
      EXPECT_LT(std::abs(seen[static_cast<std::size_t>(j)]), 5.0);
  }
}

}  // namespace politex
