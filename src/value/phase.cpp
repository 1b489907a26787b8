#include "politex/value/phase.hpp"

namespace politex::inline value {

double mean_target_cost(const Phase& phase) noexcept {
  double total = 0.0;
  std::size_t steps = 0;
  for_each_rollout(phase, [&](std::size_t, std::size_t target, std::size_t end) {
    for (std::size_t t = target; t < end; ++t) total += phase.costs[t];
    steps += end - target;
  });
  return total / static_cast<double>(steps);
}

}  // namespace politex::inline value
