// Cartpole swing-up as in the paper: the physics, observations, start and episode length of dm_control's
// swing-up, with the sparse reward of bsuite's. Integrated by RK4 in closed form; MuJoCo is the oracle of the test.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

class Cartpole {
 public:
  /// When the +1 is paid, the cost of a push, and the time limit.
  struct Rules {
    double height = 0.5;  // cos(angle) above it
    double centre = 1.0;  // |position| below it
    double spin = 1.0;    // |angular velocity| below it
    double move_cost = 0.1;
    std::int64_t episode = 1000;  // steps; the end is a truncation
    /// Pay (1 + cos(angle)) / 2 instead of the sparse +1: the reward that an exploration policy is trained on.
    bool raised_reward = false;
  };
  /// Angle 0 is upright; it is not wrapped.
  struct State {
    double position = 0.0, angle = 0.0, velocity = 0.0, spin = 0.0;
    std::int64_t clock = 0;  // steps since the start of the episode
  };

  Cartpole() = default;
  /// Throws ConfigError on a threshold out of range.
  explicit Cartpole(const Rules& rules);

  int actions() const noexcept { return 3; }  // push left, nothing, push right
  State start(Rng& rng) const noexcept;
  Step step(State& state, Action action, Rng& rng) const noexcept;

  /// One step without the restart at the time limit; step() is this, then start() when timed_out().
  Step move(State& state, Action action, Rng& rng) const noexcept;
  bool timed_out(const State& state) const noexcept { return state.clock >= rules_.episode; }

  bool valid(const State& state) const noexcept;

  /// position, velocity, cos, sin, angular velocity; both velocities times .3.
  int observation_size() const noexcept { return 5; }
  void observe(const State& state, std::span<double> into) const noexcept;
  Space space() const;

  const Rules& rules() const noexcept { return rules_; }

 private:
  Rules rules_;
};

/// One physics step of .01 s under a constant force on the cart, in newtons: position, angle and their derivatives.
std::array<double, 4> cartpole_physics(const std::array<double, 4>& state, double force) noexcept;

static_assert(TimeLimitedEnvironment<Cartpole>);

Cartpole cartpole_from(const Values& values);
const EnvironmentEntry& cartpole_entry();

}  // namespace politex::inline env
