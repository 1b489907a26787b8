// The step size of SOLO FTRL (Orabona and Pal), per state, as the paper's appendix uses it.
#pragma once

#include <span>

namespace politex::neural {

/// One network's values at a state: the middle of their range and half of its width.
struct ValueRange {
  double middle = 0.0, half = 0.0;
};

/// P = min over c of sum_i scale_i (|c - middle_i| + half_i)^2, which is the appendix's
/// min_c sum_i scale_i ||Q_i(x, .) - c 1||_inf^2. Exact: the sum is convex and quadratic between the sorted middles.
/// Sorts `ranges` and `scales` together.
double solo_norm(std::span<ValueRange> ranges, std::span<double> scales) noexcept;

/// eta = alpha sqrt(2.75 log(actions) / P).
double solo_step(double alpha, int actions, double norm) noexcept;

}  // namespace politex::neural
