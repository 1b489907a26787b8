// Ridge regression on sparse rows: normal equations in independent blocks, each with a diagonal part that is
// eliminated first (Schur complement). The matrix of tabular features is all diagonal, of additive ones half, of dense
// ones not at all.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "politex/features/features.hpp"

namespace politex::inline solvers {

class NormalEquations {
 public:
  explicit NormalEquations(const FeatureStructure& structure);
  ~NormalEquations();
  NormalEquations(NormalEquations&&) noexcept;
  NormalEquations& operator=(NormalEquations&&) noexcept;

  void reset() noexcept;
  /// Adds `weight` copies of the row psi, whose targets sum to `target`.
  void add(const FeatureRow& psi, double weight, double target) noexcept;

  /// Minimises sum (target - psi.w)^2 + ridge |w|^2; ridge 0 gives the minimum-norm solution.
  void solve(double ridge, std::span<double> w);

  /// A sample of N(mean, precision^-1) with precision = prior I + scale * (sum psi psi') and mean the solution of
  /// precision * mean = scale * (sum psi target). `normals` holds dimension() standard normals.
  void sample(double prior, double scale, std::span<const double> normals, std::span<double> w);

 private:
  struct Work;
  struct Block;
  Block block(int which) noexcept;
  static void add_dense(std::span<const double> values, double weight, double target, Block& sums) noexcept;
  void factor(Block& sums, double ridge, double scale);
  void least_norm(Block& sums, std::span<double> w);

  FeatureStructure structure_;
  int rest_ = 0;                  // width - exclusive
  std::vector<double> diagonal_;  // blocks x exclusive
  std::vector<double> coupling_;  // blocks x exclusive x rest, row by row
  std::vector<double> corner_;    // blocks x rest x rest, lower triangle, column by column
  std::vector<double> right_;     // blocks x width
  std::unique_ptr<Work> work_;
};

}  // namespace politex::inline solvers
