#include "politex/value/phase.hpp"

namespace politex::inline value {

double mean_target_cost(const Phase& phase) noexcept {
  const Lengths& lengths = phase.lengths;
  double total = 0.0;
  for (std::int64_t j = 0; j < lengths.rollouts; ++j) {
    const auto end = static_cast<std::size_t>((j + 1) * lengths.rollout());
    for (std::size_t t = end - static_cast<std::size_t>(lengths.follow); t < end; ++t) total += phase.costs[t];
  }
  return total / static_cast<double>(lengths.rollouts * lengths.follow);
}

}  // namespace politex::inline value
