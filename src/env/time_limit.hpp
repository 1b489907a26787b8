// What the environments with a time limit share. Their rules are Gymnasium's, as a continuing problem: a fall or a goal
// is a restart that belongs to the rules (the next state is a start state), and the time limit is a truncation.
#pragma once

#include <cstdint>

#include "politex/base/error.hpp"
#include "politex/env/entry.hpp"
#include "politex/env/environment.hpp"

namespace politex::inline env {

/// The time limit in steps, if it is one; throws ConfigError otherwise.
inline std::int64_t checked_episode(std::int64_t episode) {
  if (episode < 1) throw ConfigError("environment.episode", "out of range; accepted: an integer >= 1");
  return episode;
}

/// Whether a saved clock is one that such an environment can have.
inline bool clock_within(std::int64_t clock, std::int64_t episode) noexcept { return clock >= 0 && clock <= episode; }

/// Uniform in [low, high).
inline double uniform_between(Rng& rng, double low, double high) noexcept { return low + (high - low) * rng.uniform(); }

/// `step` of an environment with a time limit: a move, and a new start when the limit is reached.
template <class E>
Step move_and_restart(const E& environment, typename E::State& state, Action action, Rng& rng) noexcept {
  Step moved = environment.move(state, action, rng);
  if (environment.timed_out(state)) {
    state = environment.start(rng);
    moved.restarted = true;
  }
  return moved;
}

struct TimeLimitOptions {
  std::int64_t episode = 0;
};

/// The keys of an environment that has only a time limit to choose.
inline Keys time_limit_keys() { return {time_limit_key<&TimeLimitOptions::episode>()}; }

/// The environment with the time limit that the values ask for, or with its own.
template <class E>
E with_time_limit(const Values& values) {
  const auto options = read<TimeLimitOptions>(time_limit_keys(), values);
  return options.episode > 0 ? E(options.episode) : E();
}

}  // namespace politex::inline env
