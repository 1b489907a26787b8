#include "politex/value/lspe.hpp"

namespace politex::inline value {

void Lspe::estimate(const Phase& phase, std::span<double> weights) {
  const Features& features = *phase.features;
  const double average = mean_target_cost(phase);
  equations_.reset();
  for_each_rollout(phase, [&](std::size_t, std::size_t target, std::size_t end) {
    for (std::size_t t = target; t < end; ++t) {
      const FeatureRow psi = features.row(phase.pairs[t]);
      equations_.add_own(psi, 1.0);
      equations_.add_target(psi, phase.costs[t] - average);
      const int next = phase.slot_after(t) * features.actions;
      for (int a = 0; a < features.actions; ++a)
        if (const double p = phase.policy[static_cast<std::size_t>(next) + static_cast<std::size_t>(a)]; p > 0.0)
          equations_.add_next(psi, features.row(next + a), p);
    }
  });
  if (options_.iterated)
    equations_.iterate(options_.ridge, options_.step, options_.iterations, weights);
  else
    equations_.solve(options_.solve, options_.ridge, weights);
}

}  // namespace politex::inline value
