// Acrobot-v1's dynamics (the equations of Sutton and Barto's book) as a continuing problem (see time_limit.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "politex/env/entry.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

namespace politex::inline env {

/// Acrobot-v1: cost 1 per step, 0 on the step that swings the tip above the line.
class Acrobot {
 public:
  struct State {
    double angle = 0.0, elbow = 0.0, angle_rate = 0.0, elbow_rate = 0.0;
    std::int64_t clock = 0;
  };
  explicit Acrobot(std::int64_t episode = 500);

  int actions() const noexcept { return 3; }
  State start(Rng& rng) const noexcept;
  Step step(State& state, Action action, Rng& rng) const noexcept;
  Step move(State& state, Action action, Rng& rng) const noexcept;
  bool timed_out(const State& state) const noexcept { return state.clock >= episode_; }
  /// Angles are wrapped one turn after the other: with numbers that it never has, such as 1e300, that would not end.
  bool valid(const State& state) const noexcept;
  int observation_size() const noexcept { return 6; }
  /// cos and sin of both angles, and the two rates divided by their bounds.
  void observe(const State& state, std::span<double> into) const noexcept;
  Space space() const;

 private:
  std::int64_t episode_;
};

static_assert(TimeLimitedEnvironment<Acrobot>);

Acrobot acrobot_from(const Values& values);
const EnvironmentEntry& acrobot_entry();

}  // namespace politex::inline env
