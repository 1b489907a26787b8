// Checks what every environment must satisfy in one call: EXPECT_EQ(conformance_problems(environment), no_problems).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "politex/env/environment.hpp"
#include "politex/env/table_environment.hpp"

namespace politex::inline env {

inline const std::vector<std::string> no_problems;

namespace conformance {

inline constexpr int walk_steps = 2000;

/// Whether two states are equal in everything that can be observed: their bytes, their index or their observation.
template <Environment E>
bool same_state(const E& environment, const typename E::State& a, const typename E::State& b) {
  if constexpr (FiniteEnvironment<E>) {
    return environment.index(a) == environment.index(b);
  } else if constexpr (ObservableEnvironment<E>) {
    std::vector<double> seen_a(static_cast<std::size_t>(environment.observation_size())), seen_b(seen_a);
    environment.observe(a, seen_a);
    environment.observe(b, seen_b);
    return std::memcmp(seen_a.data(), seen_b.data(), seen_a.size() * sizeof(double)) == 0;
  } else {
    return true;
  }
}

/// The same state, action and stream give the same step; a copy of a state is independent; costs are finite.
template <Environment E>
void check_steps(const E& environment, std::vector<std::string>& problems) {
  Rng stream{1, Use::environment}, actions{1, Use::action};
  Rng again = stream;
  typename E::State state = environment.start(stream);
  if (!same_state(environment, state, environment.start(again)))
    problems.push_back("start: the same stream gives another state");
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    const auto action = static_cast<Action>(actions.below(static_cast<std::uint64_t>(environment.actions())));
    typename E::State copy = state;
    const typename E::State before = state;
    again = stream;
    const Step step = environment.step(state, action, stream);
    const Step repeated = environment.step(copy, action, again);
    if (!std::isfinite(step.cost)) problems.push_back(fmt::format("step {}: the cost is {}", t, step.cost));
    if (step.cost != repeated.cost || step.restarted != repeated.restarted || !same_state(environment, state, copy) ||
        stream.position() != again.position())
      problems.push_back(fmt::format("step {}: the same state, action and stream gave another step", t));
    if constexpr (FiniteEnvironment<E>) {
      if (step.cost != environment.cost(environment.index(before), action))
        problems.push_back(fmt::format("step {}: the cost {} is not cost(state, action)", t, step.cost));
    }
  }
}

/// Observations are finite and complete.
template <ObservableEnvironment E>
void check_observations(const E& environment, std::vector<std::string>& problems) {
  Rng stream{2, Use::environment}, actions{2, Use::action};
  typename E::State state = environment.start(stream);
  std::vector<double> seen(static_cast<std::size_t>(environment.observation_size()));
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    std::fill(seen.begin(), seen.end(), std::nan(""));
    environment.observe(state, seen);
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (!std::isfinite(seen[k])) problems.push_back(fmt::format("step {}: observation {} is {}", t, k, seen[k]));
    environment.step(state, static_cast<Action>(actions.below(static_cast<std::uint64_t>(environment.actions()))),
                     stream);
  }
}

/// States and indices are one to one, and the listed outcomes are what step() does: the environment and its tables walk
/// through the same states with the same draws.
template <FiniteEnvironment E>
void check_tables(const E& environment, std::vector<std::string>& problems) {
  for (int x = 0; x < environment.states(); ++x)
    if (environment.index(environment.state(x)) != x)
      problems.push_back(fmt::format("state {}: index(state({})) differs", x, x));
  if (!problems.empty()) return;
  Rng start{3, Use::environment};
  typename E::State state = environment.start(start);
  const TableEnvironment tables(compile(environment, "conformance", environment.states(), environment.index(state)));
  int index = environment.index(state);
  Rng own{4, Use::environment}, compiled{4, Use::environment}, actions{3, Use::action};
  for (int t = 0; t < walk_steps && problems.empty(); ++t) {
    // At times from any state, so that states which are hard to reach are checked too.
    if (t % 10 == 9) {
      index = static_cast<int>(actions.below(static_cast<std::uint64_t>(environment.states())));
      state = environment.state(index);
    }
    const auto action = static_cast<Action>(actions.below(static_cast<std::uint64_t>(environment.actions())));
    const int before = index;
    const Step step = environment.step(state, action, own);
    const Step listed = tables.step(index, action, compiled);
    if (environment.index(state) != index || step.cost != listed.cost || own.position() != compiled.position())
      problems.push_back(fmt::format("state {}, action {}: step() and the listed outcomes disagree", before, action));
  }
}

}  // namespace conformance

/// Messages about every requirement that the environment violates; empty if it conforms.
template <Environment E>
std::vector<std::string> conformance_problems(const E& environment) {
  std::vector<std::string> problems;
  if (environment.actions() < 1) return {fmt::format("actions() is {}", environment.actions())};
  conformance::check_steps(environment, problems);
  if constexpr (ObservableEnvironment<E>) conformance::check_observations(environment, problems);
  if constexpr (FiniteEnvironment<E>) conformance::check_tables(environment, problems);
  return problems;
}

}  // namespace politex::inline env
