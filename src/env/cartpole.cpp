#include "politex/env/cartpole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "politex/base/error.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {
namespace {

constexpr double time_step = 0.01;
constexpr double gravity = 9.81;
constexpr double push = 10.0;
constexpr double cart_mass = 1.0;
constexpr double pole_mass = 0.1;
constexpr double pole_length = 1.0;
constexpr double pole_radius = 0.045;
constexpr double half_length = pole_length / 2;
constexpr double cart_damping = 5e-4;
constexpr double hinge_damping = 2e-6;
constexpr double rail_end = 1.8;
constexpr double velocity_scale = 0.3;

/// Of a capsule about an axis through its middle, across its length: cylinder and two hemispheres, the mass shared by
/// volume.
constexpr double capsule_inertia() {
  const double spheres = pole_mass * 4 * pole_radius / (4 * pole_radius + 3 * pole_length);
  const double cylinder = pole_mass - spheres;
  return cylinder * (3 * pole_radius * pole_radius + pole_length * pole_length) / 12 +
         spheres * (2 * pole_radius * pole_radius / 5 + pole_length * (3 * pole_radius + 2 * pole_length) / 8);
}

constexpr double total_mass = cart_mass + pole_mass;
constexpr double coupling = pole_mass * half_length;
constexpr double hinge_inertia = capsule_inertia() + pole_mass * half_length * half_length;

/// Element (slider, slider) of the inverse mass matrix with the pole upright: MuJoCo scales the softness of the limit
/// by it.
constexpr double upright_mobility = hinge_inertia / (total_mass * hinge_inertia - coupling * coupling);

/// The soft limit of the slider: reference acceleration and impedance of MuJoCo's default solimp (.9 .95 .001 .5 2)
/// and solref (.08 1).
struct Rail {
  static constexpr double least = 0.9, most = 0.95, width = 0.001;
  static constexpr double time_constant = 0.08;
  static constexpr double stiffness = 1.0 / (most * most * time_constant * time_constant);
  static constexpr double damping = 2.0 / (most * time_constant);

  /// Force along the inward direction, given how far the cart is past the end (> 0), its outward velocity and
  /// acceleration without the limit, and the present mobility. The one-constraint quadratic programme in closed form.
  static double force(double past, double outward_velocity, double outward_acceleration, double mobility) noexcept {
    const double x = std::min(past / width, 1.0);
    const double blend = x <= 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
    const double impedance = least + blend * (most - least);
    const double reference = damping * outward_velocity + stiffness * impedance * past;
    const double softness = (1 - impedance) / impedance * upright_mobility;
    return std::max(0.0, (reference + outward_acceleration) / (softness + mobility));
  }
};

struct Heading {
  double sine, cosine;
};

Heading heading(double angle) noexcept { return {std::sin(angle), std::cos(angle)}; }

/// The heading of `angle + turn`. Within a step the pole turns little, and Taylor's series to the last bit is four
/// times as fast as the library's functions.
[[gnu::always_inline]] inline Heading turned(const Heading& from, double angle, double turn) noexcept {
  if (std::abs(turn) > 0.25) return heading(angle + turn);
  const double t = turn * turn, t2 = t * t;
  const double sine =
      turn * ((1 - t * (1 / 6.0)) + t2 * ((1 / 120.0 - t * (1 / 5040.0)) + t2 * (1 / 362880.0 - t * (1 / 39916800.0))));
  const double versine = t * ((0.5 - t * (1 / 24.0)) +
                              t2 * ((1 / 720.0 - t * (1 / 40320.0)) + t2 * (1 / 3628800.0 - t * (1 / 479001600.0))));
  return {from.sine - from.sine * versine + from.cosine * sine, from.cosine - from.cosine * versine - from.sine * sine};
}

struct Rates {
  double velocity, spin, acceleration, spin_acceleration;
};

[[gnu::always_inline]] inline Rates rates(const Heading& pole, double position, double velocity, double spin,
                                          double force) noexcept {
  const auto [sine, cosine] = pole;
  const double off_diagonal = coupling * cosine;
  const double inverse = 1.0 / (total_mass * hinge_inertia - off_diagonal * off_diagonal);
  const double on_cart = force - cart_damping * velocity + coupling * sine * spin * spin;
  const double on_pole = coupling * gravity * sine - hinge_damping * spin;
  double acceleration = (hinge_inertia * on_cart - off_diagonal * on_pole) * inverse;
  double spin_acceleration = (total_mass * on_pole - off_diagonal * on_cart) * inverse;
  const double past = std::abs(position) - rail_end;
  if (past > 0) {
    const double outward = position > 0 ? 1.0 : -1.0;
    const double mobility = hinge_inertia * inverse;
    const double inward = Rail::force(past, outward * velocity, outward * acceleration, mobility);
    acceleration -= outward * inward * mobility;
    spin_acceleration += outward * inward * off_diagonal * inverse;
  }
  return {velocity, spin, acceleration, spin_acceleration};
}

/// One RK4 step; also the heading after it.
std::pair<std::array<double, 4>, Heading> integrate(const std::array<double, 4>& state, double force) noexcept {
  const auto [position, angle, velocity, spin] = state;
  const Heading pole = heading(angle);
  const auto at = [&](const Rates& r, double h) noexcept {
    return rates(turned(pole, angle, h * r.spin), position + h * r.velocity, velocity + h * r.acceleration,
                 spin + h * r.spin_acceleration, force);
  };
  const Rates a = rates(pole, position, velocity, spin, force);
  const Rates b = at(a, time_step / 2);
  const Rates c = at(b, time_step / 2);
  const Rates d = at(c, time_step);
  const auto blend = [](double w, double x, double y, double z) { return time_step / 6 * (w + 2 * (x + y) + z); };
  const double turn = blend(a.spin, b.spin, c.spin, d.spin);
  return {{position + blend(a.velocity, b.velocity, c.velocity, d.velocity), angle + turn,
           velocity + blend(a.acceleration, b.acceleration, c.acceleration, d.acceleration),
           spin + blend(a.spin_acceleration, b.spin_acceleration, c.spin_acceleration, d.spin_acceleration)},
          turned(pole, angle, turn)};
}

}  // namespace

std::array<double, 4> cartpole_physics(const std::array<double, 4>& state, double force) noexcept {
  return integrate(state, force).first;
}

Cartpole::Cartpole(const Rules& rules) : rules_(rules) {
  const auto require = [](bool holds, const char* key, const char* what) {
    if (!holds) throw ConfigError(key, what);
  };
  require(rules.height >= -1 && rules.height < 1, "environment.height", "out of range; accepted: -1 <= height < 1");
  require(rules.centre > 0 && rules.centre <= 10, "environment.centre", "out of range; accepted: 0 < centre <= 10");
  require(rules.spin > 0 && rules.spin <= 100, "environment.spin", "out of range; accepted: 0 < spin <= 100");
  require(std::abs(rules.move_cost) <= 1e6, "environment.move_cost", "out of range; accepted: -1e6 to 1e6");
  require(rules.episode >= 1, "environment.episode", "out of range; accepted: an integer >= 1");
}

Cartpole::State Cartpole::start(Rng& rng) const noexcept {
  State state;
  state.position = 0.01 * rng.normal();
  state.angle = std::numbers::pi + 0.01 * rng.normal();
  state.velocity = 0.01 * rng.normal();
  state.spin = 0.01 * rng.normal();
  return state;
}

Step Cartpole::move(State& state, Action action, Rng& /*rng*/) const noexcept {
  const auto [next, pole] =
      integrate({state.position, state.angle, state.velocity, state.spin}, push * static_cast<double>(action - 1));
  state = {next[0], next[1], next[2], next[3], state.clock + 1};
  double cost = action == 1 ? 0.0 : rules_.move_cost;
  const double height = pole.cosine;
  if (rules_.raised_reward) {
    cost -= (1 + height) / 2;
  } else if (height > rules_.height && std::abs(state.spin) < rules_.spin && std::abs(state.position) < rules_.centre) {
    cost -= 1.0;
  }
  return {.cost = cost, .restarted = false};
}

Step Cartpole::step(State& state, Action action, Rng& rng) const noexcept {
  Step moved = move(state, action, rng);
  if (timed_out(state)) {
    state = start(rng);
    moved.restarted = true;
  }
  return moved;
}

bool Cartpole::valid(const State& state) const noexcept {
  // Far beyond what the physics reach, and near enough for the next steps to be finite.
  constexpr double most = 1e3, most_angle = 1e6;
  return std::abs(state.position) < most && std::abs(state.angle) < most_angle && std::abs(state.velocity) < most &&
         std::abs(state.spin) < most && state.clock >= 0 && state.clock <= rules_.episode;
}

void Cartpole::observe(const State& state, std::span<double> into) const noexcept {
  into[0] = state.position;
  into[1] = velocity_scale * state.velocity;
  into[2] = std::cos(state.angle);
  into[3] = std::sin(state.angle);
  into[4] = velocity_scale * state.spin;
}

Space Cartpole::space() const {
  Space space;
  space.name = cartpole_entry().name;
  space.actions = actions();
  space.ranges = {{-2, 2}, {-1.5, 1.5}, {-1, 1}, {-1, 1}, {-3, 3}};
  space.time_limit = rules_.episode;
  return space;
}

namespace {

struct CartpoleOptions {
  enum class Reward { sparse, raised };
  Reward reward = Reward::sparse;
  Cartpole::Rules rules;
  std::int64_t episode = 0;
};

Keys cartpole_keys() {
  return {
      key<&CartpoleOptions::reward>("environment.reward", "what is paid",
                                    word({{"sparse", "+1 when upright, slow and centred"},
                                          {"raised", "(1 + cos(angle)) / 2: to train an exploration policy on"}})),
      key<[](CartpoleOptions& o) -> double& { return o.rules.height; }>(
          "environment.height", "sparse reward: the pole is upright where cos(angle) is above it", number(-1, 1)),
      key<[](CartpoleOptions& o) -> double& { return o.rules.centre; }>(
          "environment.centre", "sparse reward: the cart is centred where |position| is below it", number_above(0, 10)),
      key<[](CartpoleOptions& o) -> double& { return o.rules.spin; }>(
          "environment.spin", "sparse reward: the pole is slow where |angular velocity| is below it",
          number_above(0, 100)),
      key<[](CartpoleOptions& o) -> double& { return o.rules.move_cost; }>(
          "environment.move_cost", "cost of a push to either side", number(0, 1'000'000)),
      time_limit_key<&CartpoleOptions::episode>()};
}

}  // namespace

Cartpole cartpole_from(const Values& values) {
  auto options = read<CartpoleOptions>(cartpole_keys(), values);
  if (options.episode > 0) options.rules.episode = options.episode;
  options.rules.raised_reward = options.reward == CartpoleOptions::Reward::raised;
  return Cartpole(options.rules);
}

const EnvironmentEntry& cartpole_entry() {
  static const EnvironmentEntry entry{
      .name = "cartpole",
      .help = "swing-up with a sparse reward, as in the paper; continuous states",
      .keys = cartpole_keys(),
      .space = [](const Values& values) { return cartpole_from(values).space(); },
      .block = [](const Values& values,
                  const BlockRequest& request) { return block_of(cartpole_from(values), request); }};
  return entry;
}

}  // namespace politex::inline env
