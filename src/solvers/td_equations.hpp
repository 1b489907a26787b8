// The linear system of temporal-difference methods, sum psi (psi - psi')' w = sum psi (c - lambda): dense or rows, not
// symmetric, and singular if the features contain the constant. lambda is given, or the last unknown: then one more
// equation, sum (psi - psi')' w = sum (c - lambda), says that the mean temporal difference is 0. If the features
// contain the constant, this follows from the others, and with a ridge it makes the system regular: no mismatch
// between lambda and the data is left that the ridge would have to take up.
#pragma once

#include <memory>
#include <span>

#include "politex/features/features.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline solvers {

/// ridge: solve (A + ridge I) w = b. min_norm: minimum-norm least squares by a rank-revealing decomposition.
enum class TdSolve { ridge, min_norm };

class TdEquations {
 public:
  enum class Average { given, unknown };
  explicit TdEquations(int dimension, Average average = Average::given,
                       const SolverOptions& options = {.solver = Solver::direct});
  ~TdEquations();
  TdEquations(TdEquations&&) noexcept;
  TdEquations& operator=(TdEquations&&) noexcept;

  void reset() noexcept;
  /// A += scale * psi psi', and the same into the Gram matrix that the iterated form needs. It begins a transition:
  /// what follows for the same psi belongs to it.
  void add_own(const FeatureRow& psi, double scale);
  /// A -= scale * psi next'
  void add_next(const FeatureRow& psi, const FeatureRow& next, double scale);
  /// b += scale * psi: the cost minus lambda, or the cost where lambda is unknown
  void add_target(const FeatureRow& psi, double scale);

  /// Returns lambda where it is unknown, else 0. min_norm needs dense equations; GMRES starts from the given w.
  double solve(TdSolve how, double ridge, std::span<double> w);
  /// LSPE(0), where lambda is given: `iterations` times w += step * (Gram + ridge I)^-1 (b - A w), from the given w.
  /// Dense equations only.
  void iterate(double ridge, double step, std::int64_t iterations, std::span<double> w);
  /// How the newest equations were solved.
  const Solved& solved() const noexcept;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
  int dimension_;
  Average average_;
};

}  // namespace politex::inline solvers
