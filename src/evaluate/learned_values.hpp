// What a linear run has learned, at any observation: the sum of its Qs, and the policy that follows from it.
#pragma once

#include <span>

#include "politex/run/linear_run.hpp"

namespace politex::inline evaluate {

/// Refers to the run, which may proceed in between.
class LearnedValues {
 public:
  explicit LearnedValues(const LinearRun& run) : run_(run) {}

  /// psi(x, a) . weights for every action: for Politex the sum over phases. 0 where nothing was seen.
  void q(std::span<const double> observation, std::span<double> into) const;
  /// Of the target policy of the next phase.
  void probabilities(std::span<const double> observation, std::span<double> into) const;

 private:
  const LinearRun& run_;
};

}  // namespace politex::inline evaluate
