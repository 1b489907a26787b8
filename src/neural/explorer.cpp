#include "politex/neural/explorer.hpp"

#include <cmath>
#include <vector>

namespace politex::neural {

Action UniformExplorer::act(std::span<const float>, ExplorerMemory&, Rng& rng) const {
  return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_)));
}

Action StickyExplorer::act(std::span<const float>, ExplorerMemory& memory, Rng& rng) const {
  if (rng.uniform() < change_)
    memory.action = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(actions_)));
  return static_cast<Action>(memory.action);
}

Action EnergyPump::act(std::span<const float> observation, ExplorerMemory&, Rng& rng) const {
  // Position, .3 velocity, cos, sin, .3 angular velocity.
  const double position = static_cast<double>(observation[0]), cosine = static_cast<double>(observation[2]);
  const double velocity = static_cast<double>(observation[1]) / 0.3, spin = static_cast<double>(observation[4]) / 0.3;
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

Action NetworkExplorer::act(std::span<const float> observation, ExplorerMemory&, Rng& rng) const {
  if (rng.uniform() < epsilon_) return static_cast<Action>(rng.below(static_cast<std::uint64_t>(actions_)));
  thread_local FrozenNetwork::Workspace room;
  thread_local std::vector<float> values;
  values.resize(static_cast<std::size_t>(actions_));
  network_.evaluate(observation.data(), 1, values.data(), room);
  int best = 0;
  for (int a = 1; a < actions_; ++a)
    if (values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(best)]) best = a;
  return best;
}

}  // namespace politex::neural
