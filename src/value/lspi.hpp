// Least-squares policy iteration for average cost: LSTD-Q of the epsilon-greedy policy on the transitions of all
// phases, with one improvement per phase. The average cost is solved for together with the weights: the mean cost of a
// phase would not fit the transitions of all phases, and the ridge would turn the difference into Q.
#pragma once

#include <span>
#include <vector>

#include "politex/solvers/td_equations.hpp"
#include "politex/value/transitions.hpp"

namespace politex::inline value {

struct LspiOptions {
  TdSolve solve = TdSolve::ridge;
  double ridge = 0.01;
  double epsilon = 0.0;  // of the evaluated policy, which is the one that was played
  SolverOptions solver{};
};

class Lspi {
 public:
  Lspi(const LspiOptions& options, const FeatureStructure& structure)
      : options_(options), equations_(structure.dimension(), TdEquations::Average::unknown, options.solver) {}

  /// On entry, `weights` is the Q whose epsilon-greedy policy is evaluated; on return, the Q of that policy, of which
  /// the average cost is returned.
  double update(const Transitions& data, std::span<double> weights);
  /// How its newest equations were solved.
  const Solved& solved() const noexcept { return equations_.solved(); }

 private:
  LspiOptions options_;
  TdEquations equations_;
  std::vector<std::int32_t> greedy_;  // slot -> pair of the greedy action
};

}  // namespace politex::inline value
