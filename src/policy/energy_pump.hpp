// Cartpole's explorer: it keeps the pole's energy at that of standing upright and the cart near the middle; it does not
// balance. A tenth of its actions is uniformly random.
#pragma once

#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

class EnergyPump final : public Explorer {
 public:
  EnergyPump() = default;
  /// Throws ConfigError where the observations are not cartpole's.
  explicit EnergyPump(const Space& space);
  using Explorer::act;
  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;
};

struct ExplorerEntry;
const ExplorerEntry& energy_pump_entry();

}  // namespace politex::inline policy
