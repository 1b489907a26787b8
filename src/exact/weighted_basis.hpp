// The span of features in a weighted norm, by Householder's method with row and column pivoting (Cox and Higham): every
// pair counts with its own accuracy, however rare it is.
#pragma once

#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"

namespace politex::exact {

/// Functions that are orthonormal under a distribution and orthogonal to constants, and span with them what the
/// features span. Pairs of probability 0 do not count.
class WeightedBasis {
 public:
  /// `features` has one row and `distribution` one entry per pair. Throws Error if they are too many.
  WeightedBasis(const SparseRows& features, std::span<const double> distribution);

  int size() const noexcept { return size_; }
  /// Pairs of positive probability.
  const std::vector<int>& support() const noexcept { return support_; }
  /// Probabilities of the pairs of the support; they sum to 1.
  const std::vector<double>& probability() const noexcept { return probability_; }
  /// The basis spans every function on the support.
  bool spans_all() const noexcept { return size_ + 1 == static_cast<int>(support_.size()); }
  /// Basis function k at the support's pair i, times the square root of the pair's probability.
  double scaled(int i, int k) const noexcept { return scaled_[static_cast<std::size_t>(i) * size_ + k]; }

  /// Coefficients of the projection of f, one value per pair, after its best constant.
  std::vector<double> coefficients(std::span<const double> f) const;
  /// The weights of least norm of the function with these coefficients, up to a constant.
  std::vector<double> weights(std::span<const double> coefficients) const;

 private:
  void reduce(std::vector<double>& matrix, int columns);
  void find_null_space(const std::vector<double>& triangle, int columns);

  int size_ = 0, features_ = 0;
  std::vector<int> support_;
  std::vector<double> probability_, scaled_;
  struct Reflection {
    std::vector<double> direction;  // by row of the support
    double factor = 0.0;
    int pivot = 0;
  };
  static void reflect(const Reflection& by, std::vector<double>& f);
  std::vector<Reflection> reflections_;
  std::vector<int> chosen_, others_;  // columns of the basis in the order of elimination, and the dependent ones
  std::vector<double> triangle_;      // of the chosen columns, row by row
  std::vector<double> dependence_;    // weights of the chosen columns that replace a dependent one: chosen x others
  std::vector<double> factor_;        // Cholesky factor of 1 + dependence' dependence
};

}  // namespace politex::exact
