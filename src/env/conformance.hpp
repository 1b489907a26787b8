// What every environment promises, checked by one call: EXPECT_EQ(conformance_problems(world), no_problems).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "politex/env/environment.hpp"
#include "politex/env/finite_world.hpp"

namespace politex {

inline const std::vector<std::string> no_problems;

namespace conformance {

inline constexpr int walk_steps = 2000;

/// Anything about two states that can be told from outside is equal: their bytes, their index or their observation.
template <Environment E>
bool same_state(const E& world, const typename E::State& a, const typename E::State& b) {
  if constexpr (FiniteEnvironment<E>) {
    return world.index(a) == world.index(b);
  } else if constexpr (ObservableEnvironment<E>) {
    std::vector<double> seen_a(static_cast<std::size_t>(world.observation_size())), seen_b(seen_a);
    world.observe(a, seen_a);
    world.observe(b, seen_b);
    return std::memcmp(seen_a.data(), seen_b.data(), seen_a.size() * sizeof(double)) == 0;
  } else {
    return true;
  }
}

/// The same state, action and stream give the same step; a copy of a state lives on its own; costs are finite.
template <Environment E>
void check_steps(const E& world, std::vector<std::string>& problems) {
  Rng environment{1, Use::environment}, actions{1, Use::action};
  Rng again = environment;
  typename E::State state = world.start(environment);
  if (!same_state(world, state, world.start(again))) problems.push_back("start: the same stream gives another state");
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    const auto action = static_cast<Action>(actions.below(static_cast<std::uint64_t>(world.actions())));
    typename E::State copy = state;
    const typename E::State before = state;
    again = environment;
    const Step step = world.step(state, action, environment);
    const Step repeated = world.step(copy, action, again);
    if (!std::isfinite(step.cost)) problems.push_back(fmt::format("step {}: the cost is {}", t, step.cost));
    if (step.cost != repeated.cost || step.restarted != repeated.restarted || !same_state(world, state, copy) ||
        environment.position() != again.position())
      problems.push_back(fmt::format("step {}: the same state, action and stream gave another step", t));
    if constexpr (FiniteEnvironment<E>) {
      if (step.cost != world.cost(world.index(before), action))
        problems.push_back(fmt::format("step {}: the cost {} is not cost(state, action)", t, step.cost));
    }
  }
}

/// Observations are finite and complete.
template <ObservableEnvironment E>
void check_observations(const E& world, std::vector<std::string>& problems) {
  Rng environment{2, Use::environment}, actions{2, Use::action};
  typename E::State state = world.start(environment);
  std::vector<double> seen(static_cast<std::size_t>(world.observation_size()));
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    std::fill(seen.begin(), seen.end(), std::nan(""));
    world.observe(state, seen);
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (!std::isfinite(seen[k])) problems.push_back(fmt::format("step {}: observation {} is {}", t, k, seen[k]));
    world.step(state, static_cast<Action>(actions.below(static_cast<std::uint64_t>(world.actions()))), environment);
  }
}

/// States and indices are one to one, and the listed outcomes are what step() does: the world and its tables walk
/// through the same states with the same draws.
template <FiniteEnvironment E>
void check_tables(const E& world, std::vector<std::string>& problems) {
  for (int x = 0; x < world.states(); ++x)
    if (world.index(world.state(x)) != x) problems.push_back(fmt::format("state {}: index(state({})) differs", x, x));
  if (!problems.empty()) return;
  Rng start{3, Use::environment};
  typename E::State state = world.start(start);
  const FiniteWorld tables(compile(world, "conformance", world.states(), world.index(state)));
  int index = world.index(state);
  Rng own{4, Use::environment}, compiled{4, Use::environment}, actions{3, Use::action};
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    // Now and then from anywhere, so that states which are hard to reach are checked too.
    if (t % 10 == 9) {
      index = static_cast<int>(actions.below(static_cast<std::uint64_t>(world.states())));
      state = world.state(index);
    }
    const auto action = static_cast<Action>(actions.below(static_cast<std::uint64_t>(world.actions())));
    const int before = index;
    const Step step = world.step(state, action, own);
    const Step listed = tables.step(index, action, compiled);
    if (world.index(state) != index || step.cost != listed.cost || own.position() != compiled.position())
      problems.push_back(fmt::format("state {}, action {}: step() and the listed outcomes disagree", before, action));
  }
}

}  // namespace conformance

/// Every promise that the world does not keep, in words; empty when it conforms.
template <Environment E>
std::vector<std::string> conformance_problems(const E& world) {
  std::vector<std::string> problems;
  if (world.actions() < 1) return {fmt::format("actions() is {}", world.actions())};
  conformance::check_steps(world, problems);
  if constexpr (ObservableEnvironment<E>) conformance::check_observations(world, problems);
  if constexpr (FiniteEnvironment<E>) conformance::check_tables(world, problems);
  return problems;
}

}  // namespace politex
