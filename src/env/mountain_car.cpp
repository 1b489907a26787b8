#include "politex/env/mountain_car.hpp"

#include <algorithm>
#include <cmath>

#include "politex/env/time_limit.hpp"

namespace politex::inline env {

MountainCar::MountainCar(std::int64_t episode) : episode_(checked_episode(episode)) {}

MountainCar::State MountainCar::start(Rng& rng) const noexcept {
  State state;
  state.position = uniform_between(rng, -0.6, -0.4);
  return state;
}

Step MountainCar::move(State& state, Action action, Rng& rng) const noexcept {
  const double velocity =
      std::clamp(state.velocity + (action - 1) * 0.001 + std::cos(3 * state.position) * -0.0025, -0.07, 0.07);
  const double position = std::clamp(state.position + velocity, -1.2, 0.6);
  const bool wall = position == -1.2 && velocity < 0;
  state = {position, wall ? 0.0 : velocity, state.clock + 1};
  const bool goal = position >= 0.5;
  if (goal) state = start(rng);
  return {.cost = goal ? 0.0 : 1.0, .restarted = goal};
}

Step MountainCar::step(State& state, Action action, Rng& rng) const noexcept {
  return move_and_restart(*this, state, action, rng);
}

void MountainCar::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = state.position + 0.5;
  into[1] = state.velocity / 0.07;
}

bool MountainCar::valid(const State& state) const noexcept {
  return std::abs(state.position) < 2.0 && std::abs(state.velocity) < 1.0 && clock_within(state.clock, episode_);
}

Space MountainCar::space() const {
  Space space;
  space.name = mountain_car_entry().name;
  space.actions = actions();
  space.ranges = {{-0.7, 1.1}, {-1, 1}};
  space.time_limit = episode_;
  return space;
}

MountainCar mountain_car_from(const Values& values) { return with_time_limit<MountainCar>(values); }

const EnvironmentEntry& mountain_car_entry() {
  static const EnvironmentEntry entry{
      .name = "mountain_car",
      .help = "MountainCar-v0's rules as a continuing problem; continuous states",
      .keys = time_limit_keys(),
      .space = [](const Values& values) { return mountain_car_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(mountain_car_from(values), request); }};
  return entry;
}

}  // namespace politex::inline env
