#include "politex/policy/energy_pump.hpp"

#include <fmt/format.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

EnergyPump::EnergyPump(const Space& space) {
  constexpr std::size_t numbers = 5;
  constexpr int actions = 3;
  if (space.numbers() != numbers || space.actions != actions)
    throw ConfigError{"explorer.name",
                      fmt::format("\"energy_pump\" needs the swing-up's observation (5 numbers) and 3 actions; {} has "
                                  "{} and {}; accepted here: another explorer",
                                  space.name, space.numbers(), space.actions)};
}

Action EnergyPump::act(std::span<const double> observation, ExplorerMemory&, Rng& rng) const {
  // Position, .3 velocity, cos, sin, .3 angular velocity.
  const double position = observation[0], cosine = observation[2];
  const double velocity = observation[1] / 0.3, spin = observation[4] / 0.3;
  if (rng.uniform() < 0.1) return static_cast<Action>(rng.below(3));
  // Heading for an end of the part that pays: brake.
  const double ahead = position + 0.3 * velocity;
  if (std::abs(ahead) > 0.8) return ahead > 0 ? 0 : 2;
  // In units of m g l: 0 when standing still upright, -2 when hanging; the moment of inertia is 1/14.25 of m g l.
  const double energy = spin * spin / (2 * 14.25) + cosine - 1;
  if (std::abs(energy) < 0.02) return 1;
  // The cart's acceleration u changes the pole's energy at the rate -u spin cos.
  const double rate = spin * cosine;
  if (std::abs(rate) < 0.05) return energy < 0 && cosine < 0 ? (rng.uniform() < 0.5 ? 0 : 2) : 1;
  return (rate > 0) == (energy < 0) ? 0 : 2;
}

const ExplorerEntry& energy_pump_entry() {
  static const ExplorerEntry entry{.name = "energy_pump",
                                   .help = "swings cartpole up and does not balance it",
                                   .make = [](const ExplorerRequest& request) -> std::shared_ptr<const Explorer> {
                                     return std::make_shared<EnergyPump>(request.space);
                                   },
                                   .fixed_policy = false};
  return entry;
}

}  // namespace politex::inline policy
