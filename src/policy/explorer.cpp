#include "politex/policy/explorer.hpp"

#include <vector>

namespace politex::inline policy {

Action Explorer::act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const {
  thread_local std::vector<double> wide;
  wide.assign(observation.begin(), observation.end());
  return act(std::span<const double>(wide), memory, rng);
}

}  // namespace politex::inline policy
