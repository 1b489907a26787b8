#include "politex/env/acrobot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "politex/env/time_limit.hpp"

namespace politex::inline env {
namespace {

using std::numbers::pi;

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

Acrobot::Acrobot(std::int64_t episode) : episode_(checked_episode(episode)) {}

Acrobot::State Acrobot::start(Rng& rng) const noexcept {
  State state;
  state.angle = uniform_between(rng, -0.1, 0.1);
  state.elbow = uniform_between(rng, -0.1, 0.1);
  state.angle_rate = uniform_between(rng, -0.1, 0.1);
  state.elbow_rate = uniform_between(rng, -0.1, 0.1);
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

void Acrobot::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = std::cos(state.angle);
  into[1] = std::sin(state.angle);
  into[2] = std::cos(state.elbow);
  into[3] = std::sin(state.elbow);
  into[4] = state.angle_rate / most_angle_rate;
  into[5] = state.elbow_rate / most_elbow_rate;
}

bool Acrobot::valid(const State& state) const noexcept {
  return std::abs(state.angle) < 4.0 && std::abs(state.elbow) < 4.0 && std::abs(state.angle_rate) < 13.0 &&
         std::abs(state.elbow_rate) < 29.0 && clock_within(state.clock, episode_);
}

Space Acrobot::space() const {
  Space space;
  space.name = acrobot_entry().name;
  space.actions = actions();
  space.ranges = {{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}};
  space.time_limit = episode_;
  return space;
}

Acrobot acrobot_from(const Values& values) { return with_time_limit<Acrobot>(values); }

const EnvironmentEntry& acrobot_entry() {
  static const EnvironmentEntry entry{
      .name = "acrobot",
      .help = "Acrobot-v1's rules as a continuing problem; continuous states",
      .keys = time_limit_keys(),
      .space = [](const Values& values) { return acrobot_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(acrobot_from(values), request); }};
  return entry;
}

}  // namespace politex::inline env
