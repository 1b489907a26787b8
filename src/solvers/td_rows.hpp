// Temporal-difference equations as rows: sum over transitions of psi (scale psi - sum p next)' w = sum psi target, in
// the memory of their nonzeros. Solved by a sparse LU factor, or by GMRES without a matrix.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/features/features.hpp"
#include "politex/solvers/solver_options.hpp"

namespace politex::inline solvers {

class TdRows {
 public:
  /// `average_unknown`: one more unknown, the last, and the equation that the mean temporal difference is 0.
  TdRows(int dimension, bool average_unknown, const SolverOptions& options);

  void reset();
  /// Begins a transition from psi; next() and target() add to it.
  void own(const FeatureRow& psi, double scale);
  void next(const FeatureRow& psi, double scale);
  void target(double scale) { targets_.back() += scale; }

  /// The ridge is not on the unknown average, which is returned where it is unknown. GMRES starts from the given w.
  double solve(double ridge, std::span<double> w);
  const Solved& solved() const noexcept { return solved_; }

 private:
  struct Entries {
    std::vector<std::size_t> first = {0};
    std::vector<std::int32_t> index;  // of an unknown
    std::vector<double> value;
    void clear();
  };
  std::int32_t number(std::int32_t column);
  void factor(std::span<const double> ridges, std::span<const double> right, std::span<double> x);
  void gmres(std::span<const double> ridges, std::span<const double> right, std::span<double> x);
  void product(std::span<const double> ridges, std::span<const double> x, std::span<double> out) const;

  int dimension_;
  bool average_unknown_;
  SolverOptions options_;
  Entries left_, right_;  // psi, and what it is compared with
  std::vector<double> targets_;
  std::vector<std::int32_t> numbers_;  // column -> unknown + 1, or 0
  std::vector<std::int32_t> columns_;  // unknown -> column
  Solved solved_;
};

}  // namespace politex::inline solvers
