// CartPole-v1's dynamics as a continuing problem (see time_limit.hpp). Gymnasium pays the same reward on every step,
// which says nothing about a policy that runs forever; here the step that drops the pole costs 0 and the others cost
// -1.
#pragma once

#include <cstdint>
#include <span>

#include "politex/env/entry.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/space.hpp"

namespace politex::inline env {

/// CartPole-v1: cost -1 while the pole is up, 0 on the step that drops it or leaves the track.
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

static_assert(TimeLimitedEnvironment<CartpoleBalance>);

CartpoleBalance cartpole_balance_from(const Values& values);
const EnvironmentEntry& cartpole_balance_entry();

}  // namespace politex::inline env
