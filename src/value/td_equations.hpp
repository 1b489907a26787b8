// The linear system of temporal-difference methods, sum psi (psi - psi')' w = sum psi (c - lambda): dense, not
// symmetric, and singular if the features contain the constant.
#pragma once

#include <memory>
#include <span>

#include "politex/value/features.hpp"

namespace politex::inline value {

/// ridge: solve (A + ridge I) w = b. min_norm: minimum-norm least squares by a rank-revealing decomposition.
enum class TdSolve { ridge, min_norm };

class TdEquations {
 public:
  explicit TdEquations(int dimension);
  ~TdEquations();
  TdEquations(TdEquations&&) noexcept;
  TdEquations& operator=(TdEquations&&) noexcept;

  void reset() noexcept;
  /// A += scale * psi psi', and the same into the Gram matrix that the iterated form needs.
  void add_own(const FeatureRow& psi, double scale) noexcept;
  /// A -= scale * psi next'
  void add_next(const FeatureRow& psi, const FeatureRow& next, double scale) noexcept;
  /// b += scale * psi
  void add_target(const FeatureRow& psi, double scale) noexcept;

  void solve(TdSolve how, double ridge, std::span<double> w);
  /// LSPE(0): `iterations` times w += step * (Gram + ridge I)^-1 (b - A w), from the given w.
  void iterate(double ridge, double step, std::int64_t iterations, std::span<double> w);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace politex::inline value
