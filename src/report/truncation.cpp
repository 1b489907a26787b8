#include "politex/report/truncation.hpp"

#include <algorithm>

#include "politex/env/structure.hpp"
#include "politex/exact/optimum.hpp"

namespace politex::inline report {

std::optional<Truncation> truncation(const FiniteModel& model, std::span<const double> stationary) {
  if (model.structure == nullptr || !model.structure->network || model.teleport > 0.0) return std::nullopt;
  QueueNetwork network = *model.structure->network;
  Truncation found;
  for (std::size_t x = 0; x < stationary.size(); ++x) {
    bool full = false;
    for (std::size_t c = 0; c < network.classes.size(); ++c)
      full = full || model.axes[c][x] == network.classes[c].buffer;
    if (full) found.full += stationary[x];
  }
  int largest = 0;
  for (JobClass& each : network.classes) {
    largest = std::max(largest, each.buffer);
    each.buffer = std::max(1, each.buffer / 2);
    found.smaller = std::max(found.smaller, each.buffer);
  }
  if (largest < 2) return std::nullopt;
  found.smaller_gain = exact::optimal_gain(network_model(network, model.name));
  return found;
}

}  // namespace politex::inline report
