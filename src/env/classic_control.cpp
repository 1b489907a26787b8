#include "politex/env/classic_control.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "politex/base/error.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {
namespace {

using std::numbers::pi;

std::int64_t checked_episode(std::int64_t episode) {
  if (episode < 1) throw ConfigError("environment.episode", "out of range; accepted: an integer >= 1");
  return episode;
}

double between(Rng& rng, double low, double high) noexcept { return low + (high - low) * rng.uniform(); }

/// What `step` is where there is a time limit: a move, and a new start when the limit is reached.
template <class E>
Step move_and_restart(const E& environment, typename E::State& state, Action action, Rng& rng) noexcept {
  Step moved = environment.move(state, action, rng);
  if (environment.timed_out(state)) {
    state = environment.start(rng);
    moved.restarted = true;
  }
  return moved;
}

bool clock_within(std::int64_t clock, std::int64_t episode) noexcept { return clock >= 0 && clock <= episode; }

using AcrobotVector = std::array<double, 4>;

AcrobotVector acrobot_rates(const AcrobotVector& s, double torque) noexcept {
  // Links of mass 1, length 1, centre of mass at .5, moment of inertia 1.
  constexpr double mass = 1, length = 1, centre = 0.5, inertia = 1, gravity = 9.8;
  const auto [angle, elbow, angle_rate, elbow_rate] = s;
  const double inner = mass * centre * centre +
                       mass * (length * length + centre * centre + 2 * length * centre * std::cos(elbow)) + 2 * inertia;
  const double cross = mass * (centre * centre + length * centre * std::cos(elbow)) + inertia;
  const double pull_outer = mass * centre * gravity * std::cos(angle + elbow - pi / 2);
  const double pull_inner = -mass * length * centre * elbow_rate * elbow_rate * std::sin(elbow) -
                            2 * mass * length * centre * elbow_rate * angle_rate * std::sin(elbow) +
                            (mass * centre + mass * length) * gravity * std::cos(angle - pi / 2) + pull_outer;
  const double elbow_acceleration = (torque + cross / inner * pull_inner -
                                     mass * length * centre * angle_rate * angle_rate * std::sin(elbow) - pull_outer) /
                                    (mass * centre * centre + inertia - cross * cross / inner);
  return {angle_rate, elbow_rate, -(cross * elbow_acceleration + pull_inner) / inner, elbow_acceleration};
}

double wrapped(double angle) noexcept {
  while (angle > pi) angle -= 2 * pi;
  while (angle < -pi) angle += 2 * pi;
  return angle;
}

constexpr double most_angle_rate = 4 * pi, most_elbow_rate = 9 * pi;

}  // namespace

CartpoleBalance::CartpoleBalance(std::int64_t episode) : episode_(checked_episode(episode)) {}

CartpoleBalance::State CartpoleBalance::start(Rng& rng) const noexcept {
  State state;
  state.position = between(rng, -0.05, 0.05);
  state.velocity = between(rng, -0.05, 0.05);
  state.angle = between(rng, -0.05, 0.05);
  state.spin = between(rng, -0.05, 0.05);
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
  const bool fell = std::abs(state.position) > 2.4 || std::abs(state.angle) > 12 * 2 * pi / 360;
  if (fell) state = start(rng);
  return {.cost = fell ? 0.0 : -1.0, .restarted = fell};
}

Step CartpoleBalance::step(State& state, Action action, Rng& rng) const noexcept {
  return move_and_restart(*this, state, action, rng);
}

bool CartpoleBalance::valid(const State& state) const noexcept {
  return std::isfinite(state.position) && std::isfinite(state.velocity) && std::isfinite(state.angle) &&
         std::isfinite(state.spin) && clock_within(state.clock, episode_);
}

void CartpoleBalance::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = state.position;
  into[1] = state.velocity;
  into[2] = state.angle;
  into[3] = state.spin;
}

Space CartpoleBalance::space() const {
  Space space;
  space.name = cartpole_balance_entry().name;
  space.actions = actions();
  space.ranges = {{-2.4, 2.4}, {-3, 3}, {-0.21, 0.21}, {-3, 3}};
  space.time_limit = episode_;
  return space;
}

MountainCar::MountainCar(std::int64_t episode) : episode_(checked_episode(episode)) {}

MountainCar::State MountainCar::start(Rng& rng) const noexcept {
  State state;
  state.position = between(rng, -0.6, -0.4);
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

bool MountainCar::valid(const State& state) const noexcept {
  return std::isfinite(state.position) && std::isfinite(state.velocity) && clock_within(state.clock, episode_);
}

void MountainCar::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = state.position + 0.5;
  into[1] = state.velocity / 0.07;
}

Space MountainCar::space() const {
  Space space;
  space.name = mountain_car_entry().name;
  space.actions = actions();
  space.ranges = {{-0.7, 1.1}, {-1, 1}};
  space.time_limit = episode_;
  return space;
}

Acrobot::Acrobot(std::int64_t episode) : episode_(checked_episode(episode)) {}

Acrobot::State Acrobot::start(Rng& rng) const noexcept {
  State state;
  state.angle = between(rng, -0.1, 0.1);
  state.elbow = between(rng, -0.1, 0.1);
  state.angle_rate = between(rng, -0.1, 0.1);
  state.elbow_rate = between(rng, -0.1, 0.1);
  return state;
}

Step Acrobot::move(State& state, Action action, Rng& rng) const noexcept {
  constexpr double tau = 0.2;
  const double torque = action - 1;
  const AcrobotVector s{state.angle, state.elbow, state.angle_rate, state.elbow_rate};
  const auto at = [&](const AcrobotVector& rate, double h) {
    AcrobotVector moved = s;
    for (std::size_t j = 0; j < 4; ++j) moved[j] += h * rate[j];
    return acrobot_rates(moved, torque);
  };
  const AcrobotVector a = acrobot_rates(s, torque), b = at(a, tau / 2), c = at(b, tau / 2), d = at(c, tau);
  AcrobotVector next{};
  for (std::size_t j = 0; j < 4; ++j) next[j] = s[j] + tau / 6 * (a[j] + 2 * b[j] + 2 * c[j] + d[j]);
  state = {wrapped(next[0]), wrapped(next[1]), std::clamp(next[2], -most_angle_rate, most_angle_rate),
           std::clamp(next[3], -most_elbow_rate, most_elbow_rate), state.clock + 1};
  const bool goal = -std::cos(state.angle) - std::cos(state.elbow + state.angle) > 1.0;
  if (goal) state = start(rng);
  return {.cost = goal ? 0.0 : 1.0, .restarted = goal};
}

Step Acrobot::step(State& state, Action action, Rng& rng) const noexcept {
  return move_and_restart(*this, state, action, rng);
}

bool Acrobot::valid(const State& state) const noexcept {
  return std::abs(state.angle) < 4.0 && std::abs(state.elbow) < 4.0 && std::abs(state.angle_rate) < 13.0 &&
         std::abs(state.elbow_rate) < 29.0 && clock_within(state.clock, episode_);
}

void Acrobot::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = std::cos(state.angle);
  into[1] = std::sin(state.angle);
  into[2] = std::cos(state.elbow);
  into[3] = std::sin(state.elbow);
  into[4] = state.angle_rate / most_angle_rate;
  into[5] = state.elbow_rate / most_elbow_rate;
}

Space Acrobot::space() const {
  Space space;
  space.name = acrobot_entry().name;
  space.actions = actions();
  space.ranges = {{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}};
  space.time_limit = episode_;
  return space;
}

namespace {

struct ClassicOptions {
  std::int64_t episode = 0;
};

Keys classic_keys() { return {time_limit_key<&ClassicOptions::episode>()}; }

}  // namespace

CartpoleBalance cartpole_balance_from(const Values& values) {
  const auto options = read<ClassicOptions>(classic_keys(), values);
  return options.episode > 0 ? CartpoleBalance(options.episode) : CartpoleBalance();
}

const EnvironmentEntry& cartpole_balance_entry() {
  static const EnvironmentEntry entry{
      .name = "cartpole_balance",
      .help = "CartPole-v1's rules as a continuing problem; continuous states",
      .keys = classic_keys(),
      .space = [](const Values& values) { return cartpole_balance_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(cartpole_balance_from(values), request); }};
  return entry;
}

MountainCar mountain_car_from(const Values& values) {
  const auto options = read<ClassicOptions>(classic_keys(), values);
  return options.episode > 0 ? MountainCar(options.episode) : MountainCar();
}

const EnvironmentEntry& mountain_car_entry() {
  static const EnvironmentEntry entry{
      .name = "mountain_car",
      .help = "MountainCar-v0's rules as a continuing problem; continuous states",
      .keys = classic_keys(),
      .space = [](const Values& values) { return mountain_car_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(mountain_car_from(values), request); }};
  return entry;
}

Acrobot acrobot_from(const Values& values) {
  const auto options = read<ClassicOptions>(classic_keys(), values);
  return options.episode > 0 ? Acrobot(options.episode) : Acrobot();
}

const EnvironmentEntry& acrobot_entry() {
  static const EnvironmentEntry entry{
      .name = "acrobot",
      .help = "Acrobot-v1's rules as a continuing problem; continuous states",
      .keys = classic_keys(),
      .space = [](const Values& values) { return acrobot_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(acrobot_from(values), request); }};
  return entry;
}

}  // namespace politex::inline env
