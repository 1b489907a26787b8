// Least-squares policy evaluation for average cost: the fixed point of the projected Bellman equation on the phase's
// target transitions, with the expectation over the policy at the next state.
#pragma once

#include <cstdint>
#include <span>

#include "politex/solvers/td_equations.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline value {

struct LspeOptions {
  bool iterated = false;  // false: solve for the fixed point directly
  std::int64_t iterations = 20;
  double step = 0.5;
  TdSolve solve = TdSolve::ridge;
  double ridge = 0.01;
  SolverOptions solver{};
};

class Lspe {
 public:
  Lspe(const LspeOptions& options, const FeatureStructure& structure)
      : options_(options), equations_(structure.dimension(), TdEquations::Average::given, options.solver) {}

  /// Computes the weights; the iterated form starts from the given ones, GMRES too; others ignore them.
  void estimate(const Phase& phase, std::span<double> weights);
  /// How its newest equations were solved.
  const Solved& solved() const noexcept { return equations_.solved(); }

 private:
  LspeOptions options_;
  TdEquations equations_;
};

}  // namespace politex::inline value
