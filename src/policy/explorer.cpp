#include "politex/policy/explorer.hpp"

#include <vector>

namespace politex::inline policy {

Action Explorer::act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const {
  thread_local std::vector<double> wide;
  wide.assign(observation.begin(), observation.end());
  return act(std::span<const double>(wide), memory, rng);
}

void get_memory(ByteReader& from, ExplorerMemory& memory, int actions) {
  from.get_within(memory.goal, -1, ByteReader::most, "what the explorer remembers");
  from.get_count(memory.left, "what the explorer remembers");
  from.get_within(memory.action, 0, actions - 1, "what the explorer remembers");
}

}  // namespace politex::inline policy
