#include "politex/env/cartpole_balance.hpp"

#include <cmath>
#include <numbers>

#include "politex/env/time_limit.hpp"

namespace politex::inline env {

CartpoleBalance::CartpoleBalance(std::int64_t episode) : episode_(checked_episode(episode)) {}

CartpoleBalance::State CartpoleBalance::start(Rng& rng) const noexcept {
  State state;
  state.position = uniform_between(rng, -0.05, 0.05);
  state.velocity = uniform_between(rng, -0.05, 0.05);
  state.angle = uniform_between(rng, -0.05, 0.05);
  state.spin = uniform_between(rng, -0.05, 0.05);
  return state;
}

Step CartpoleBalance::move(State& state, Action action, Rng& rng) const noexcept {
  constexpr double gravity = 9.8, pole = 0.1, total = 1.1, half_length = 0.5, tau = 0.02;
  const double force = action == 1 ? 10.0 : -10.0;
  const double cosine = std::cos(state.angle), sine = std::sin(state.angle);
  const double push = (force + pole * half_length * state.spin * state.spin * sine) / total;
  const double spin_acceleration =
      (gravity * sine - cosine * push) / (half_length * (4.0 / 3.0 - pole * cosine * cosine / total));
  const double acceleration = push - pole * half_length * spin_acceleration * cosine / total;
  state = {state.position + tau * state.velocity, state.velocity + tau * acceleration, state.angle + tau * state.spin,
           state.spin + tau * spin_acceleration, state.clock + 1};
  const bool fell = std::abs(state.position) > 2.4 || std::abs(state.angle) > 12 * 2 * std::numbers::pi / 360;
  if (fell) state = start(rng);
  return {.cost = fell ? 0.0 : -1.0, .restarted = fell};
}

Step CartpoleBalance::step(State& state, Action action, Rng& rng) const noexcept {
  return move_and_restart(*this, state, action, rng);
}

void CartpoleBalance::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = state.position;
  into[1] = state.velocity;
  into[2] = state.angle;
  into[3] = state.spin;
}

bool CartpoleBalance::valid(const State& state) const noexcept {
  constexpr double most = 1e3;  // far beyond what the physics reach
  return std::abs(state.position) < most && std::abs(state.velocity) < most && std::abs(state.angle) < most &&
         std::abs(state.spin) < most && clock_within(state.clock, episode_);
}

Space CartpoleBalance::space() const {
  Space space;
  space.name = cartpole_balance_entry().name;
  space.actions = actions();
  space.ranges = {{-2.4, 2.4}, {-3, 3}, {-0.21, 0.21}, {-3, 3}};
  space.time_limit = episode_;
  return space;
}

CartpoleBalance cartpole_balance_from(const Values& values) { return with_time_limit<CartpoleBalance>(values); }

const EnvironmentEntry& cartpole_balance_entry() {
  static const EnvironmentEntry entry{
      .name = "cartpole_balance",
      .help = "CartPole-v1's rules as a continuing problem; continuous states",
      .keys = time_limit_keys(),
      .space = [](const Values& values) { return cartpole_balance_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(cartpole_balance_from(values), request); }};
  return entry;
}

}  // namespace politex::inline env
