// Online randomised least-squares value iteration for average cost: on the transitions of all phases, one backup per
// phase with the average cost of the phase, and one sample from the Gaussian posterior of the weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/solvers/regression.hpp"
#include "politex/value/transitions.hpp"

namespace politex::inline value {

struct RlsviOptions {
  double prior = 1.0;  // precision
  double noise = 1.0;  // standard deviation
  SolverOptions solver{};
};

class Rlsvi {
 public:
  Rlsvi(const RlsviOptions& options, const FeatureStructure& structure);

  /// Samples new weights. On entry, `weights` is the last sample (for the values of the backup); on return, the new
  /// one. `origin`, the value of the start state under the last weights, is subtracted from backed-up values.
  void update(const Transitions& data, double average, double origin, Rng& rng, std::span<double> weights);
  /// How its newest equations were solved.
  const Solved& solved() const noexcept { return equations_.solved(); }

 private:
  RlsviOptions options_;
  Regression equations_;
  std::vector<double> values_;  // slot -> min over actions of the last sample
};

/// min over the possible actions (flags; empty: all) of psi(slot, a) . weights
double least_value(const Features& features, int slot, std::span<const double> weights,
                   std::span<const std::uint8_t> possible = {}) noexcept;

}  // namespace politex::inline value
