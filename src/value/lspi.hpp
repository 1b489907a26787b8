// Least-squares policy iteration for average cost: LSTD-Q of the epsilon-greedy policy on all phases' transitions, one
// improvement a phase.
#pragma once

#include <span>
#include <vector>

#include "politex/value/td_equations.hpp"
#include "politex/value/transitions.hpp"

namespace politex {

struct LspiOptions {
  TdSolve solve = TdSolve::ridge;
  double ridge = 0.01;
  double epsilon = 0.0;  // of the policy that is evaluated: the one that is played, to which the average cost belongs
};

class Lspi {
 public:
  Lspi(const LspiOptions& options, const FeatureStructure& structure)
      : options_(options), equations_(structure.dimension()) {}

  /// `weights` holds the Q whose epsilon-greedy policy is evaluated on entry, and that policy's Q on return.
  void update(const Transitions& data, double average, std::span<double> weights);

 private:
  LspiOptions options_;
  TdEquations equations_;
  std::vector<std::int32_t> greedy_;  // slot -> pair of the greedy action
};

}  // namespace politex
