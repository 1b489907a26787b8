// Randomised least-squares value iteration, online, for average cost: all phases' transitions, one backup a phase with
// the phase's average cost, and one sample from the Gaussian posterior of the weights.
#pragma once

#include <span>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/value/normal_equations.hpp"
#include "politex/value/transitions.hpp"

namespace politex {

struct RlsviOptions {
  double prior = 1.0;  // precision
  double noise = 1.0;  // standard deviation
};

class Rlsvi {
 public:
  Rlsvi(const RlsviOptions& options, const FeatureStructure& structure);

  /// Samples new weights; `weights` holds the last sample on entry (the backup's values) and the new one on return.
  /// `origin` is the value of the start state under the last weights: backed-up values are measured from there.
  void update(const Transitions& data, double average, double origin, Rng& rng, std::span<double> weights);

 private:
  RlsviOptions options_;
  NormalEquations equations_;
  std::vector<double> values_;  // slot -> min over actions of the last sample
  std::vector<double> normals_;
};

/// min over actions of psi(slot, a) . weights
double least_value(const Features& features, int slot, std::span<const double> weights) noexcept;

}  // namespace politex
