// Three classic control tasks with Gymnasium's dynamics, turned into continuing problems: a fall or a goal is a restart
// that belongs to the rules (the next state is a start state), the time limit is a truncation. Gymnasium pays the
// same reward on every step of CartPole and MountainCar, which in the long run tells nothing; here the falling step
// and the goal step cost 0 where the others cost -1 and 1.
#pragma once

#include <cstdint>
#include <span>

#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {

/// CartPole-v1: cost -1 while the pole stands, 0 on the step that drops it or leaves the track.
class CartpoleBalance {
 public:
  struct State {
    double position = 0.0, velocity = 0.0, angle = 0.0, spin = 0.0;
    std::int64_t clock = 0;
  };
  explicit CartpoleBalance(std::int64_t episode = 500);

  int actions() const noexcept { return 2; }
  State start(Rng& rng) const noexcept;
  Step step(State& state, Action action, Rng& rng) const noexcept;
  Step move(State& state, Action action, Rng& rng) const noexcept;
  bool timed_out(const State& state) const noexcept { return state.clock >= episode_; }
  bool valid(const State& state) const noexcept;
  int observation_size() const noexcept { return 4; }
  void observe(const State& state, std::span<double> into) const noexcept;
  Space space() const;

 private:
  std::int64_t episode_;
};

/// MountainCar-v0: cost 1 a step, 0 on the step that reaches the goal.
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

/// Acrobot-v1 (the book's equations): cost 1 a step, 0 on the step that swings the tip above the line.
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

static_assert(TimeLimitedEnvironment<CartpoleBalance>);
static_assert(TimeLimitedEnvironment<MountainCar>);
static_assert(TimeLimitedEnvironment<Acrobot>);

CartpoleBalance cartpole_balance_from(const Values& values);
const EnvironmentEntry& cartpole_balance_entry();
MountainCar mountain_car_from(const Values& values);
const EnvironmentEntry& mountain_car_entry();
Acrobot acrobot_from(const Values& values);
const EnvironmentEntry& acrobot_entry();

}  // namespace politex::inline env
