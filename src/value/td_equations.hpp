// The linear system of temporal-difference methods, sum psi (psi - psi')' w = sum psi (c - lambda): dense, not
// symmetric, and singular if the features contain the constant. lambda is given, or the last unknown: then one more
// equation, sum (psi - psi')' w = sum (c - lambda), says that the mean temporal difference is 0. If the features
// contain the constant, this follows from the others, and with a ridge it makes the system regular: no mismatch
// between lambda and the data is left that the ridge would have to take up.
#pragma once

#include <memory>
#include <span>

#include "politex/features/features.hpp"

namespace politex::inline value {

/// ridge: solve (A + ridge I) w = b. min_norm: minimum-norm least squares by a rank-revealing decomposition.
enum class TdSolve { ridge, min_norm };

class TdEquations {
 public:
  enum class Average { given, unknown };
  explicit TdEquations(int dimension, Average average = Average::given);
  ~TdEquations();
  TdEquations(TdEquations&&) noexcept;
  TdEquations& operator=(TdEquations&&) noexcept;

  void reset() noexcept;
  /// A += scale * psi psi', and the same into the Gram matrix that the iterated form needs.
  void add_own(const FeatureRow& psi, double scale) noexcept;
  /// A -= scale * psi next'
  void add_next(const FeatureRow& psi, const FeatureRow& next, double scale) noexcept;
  /// b += scale * psi: the cost minus lambda, or the cost where lambda is unknown
  void add_target(const FeatureRow& psi, double scale) noexcept;

  /// Returns lambda where it is unknown, else 0.
  double solve(TdSolve how, double ridge, std::span<double> w);
  /// LSPE(0), where lambda is given: `iterations` times w += step * (Gram + ridge I)^-1 (b - A w), from the given w.
  void iterate(double ridge, double step, std::int64_t iterations, std::span<double> w);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
  int dimension_;
  Average average_;
};

}  // namespace politex::inline value
