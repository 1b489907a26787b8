// Ridge regression on sparse rows, by the solver that the structure calls for. Every solver gives the same weights up
// to rounding (iterative: up to algorithm.tolerance), and the same bits on any number of threads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/features/features.hpp"
#include "politex/solvers/compact_rows.hpp"
#include "politex/solvers/normal_equations.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline solvers {

class Regression {
 public:
  Regression(const FeatureStructure& structure, const SolverOptions& options);

  void reset();
  /// Adds `weight` copies of the row psi, whose targets sum to `target`.
  void add(const FeatureRow& psi, double weight, double target);
  /// Minimises sum (target - psi.w)^2 + ridge |w|^2; ridge 0 gives the minimum-norm solution. The iterative solver
  /// starts from the given w.
  void solve(double ridge, std::span<double> w);
  /// A sample of N(mean, precision^-1) with precision = prior I + scale * (sum psi psi') and mean the solution of
  /// precision * mean = scale * (sum psi target). Without a dense factor: the solution of the least squares whose
  /// targets and prior means are perturbed.
  void sample(double prior, double scale, Rng& rng, std::span<double> w);

  const Solved& solved() const noexcept { return solved_; }

 private:
  void solve_blocks(double ridge, std::span<double> w);

  FeatureStructure structure_;
  SolverOptions options_;
  std::optional<NormalEquations> dense_;  // else: the blocks
  std::vector<CompactRows> blocks_;
  std::vector<std::vector<std::int32_t>> numbers_;  // block -> column -> its number among the unknowns, from 1; or 0
  std::vector<double> unknowns_, normals_;
  Solved solved_;
};

}  // namespace politex::inline solvers
