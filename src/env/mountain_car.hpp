// MountainCar-v0's dynamics as a continuing problem (see time_limit.hpp). Gymnasium pays the same reward on every step,
// which says nothing about a policy that runs forever; here the step that reaches the goal costs 0 and the others
// cost 1.
#pragma once

#include <cstdint>
#include <span>

#include "politex/env/entry.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

namespace politex::inline env {

/// MountainCar-v0: cost 1 per step, 0 on the step that reaches the goal.
class MountainCar {
 public:
  struct State {
    double position = 0.0, velocity = 0.0;
    std::int64_t clock = 0;
  };
  explicit MountainCar(std::int64_t episode = 200);

  int actions() const noexcept { return 3; }
  State start(Rng& rng) const noexcept;
  Step step(State& state, Action action, Rng& rng) const noexcept;
  Step move(State& state, Action action, Rng& rng) const noexcept;
  bool timed_out(const State& state) const noexcept { return state.clock >= episode_; }
  bool valid(const State& state) const noexcept;
  int observation_size() const noexcept { return 2; }
  /// position + .5, and velocity / .07: both of order 1 for a network.
  void observe(const State& state, std::span<double> into) const noexcept;
  Space space() const;

 private:
  std::int64_t episode_;
};

static_assert(TimeLimitedEnvironment<MountainCar>);

MountainCar mountain_car_from(const Values& values);
const EnvironmentEntry& mountain_car_entry();

}  // namespace politex::inline env
