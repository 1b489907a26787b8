// Means, intervals and p values for tables and figures. Sums follow the order of the values: equal values give equal
// bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace politex::inline base {

/// An estimate and its two-sided interval.
struct Interval {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;

  double half_width() const noexcept { return 0.5 * (high - low); }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// NaN when there are no values.
double mean(std::span<const double> values);

/// With divisor n - 1; NaN for fewer than two values.
double standard_deviation(std::span<const double> values);

/// The quantile of Student's t; `probability` in (0, 1), `degrees` > 0.
double student_quantile(double probability, double degrees);

/// Student's t interval for the mean of independent values; infinite for one value, NaN for none.
Interval t_interval(std::span<const double> values, double level = 0.95);

/// Linear interpolation between order statistics (R's type 7); `probability` in [0, 1].
double quantile(std::span<const double> values, double probability);

/// Every stratum has the same weight, divided equally among its values.
double mean_of_strata(std::span<const std::vector<double>> strata);

/// Student's t interval for that mean. The degrees of freedom are those of the smallest stratum, so the interval covers
/// at least its level for normal values, however the variances differ. Infinite if some stratum has one value.
Interval t_interval_of_strata(std::span<const std::vector<double>> strata, double level = 0.95);

/// The median, with the narrowest pair of order statistics that covers it with probability `level` for every
/// continuous distribution (more for others). Infinite for too few values: at 95%, fewer than six.
Interval median_interval(std::span<const double> values, double level = 0.95);

/// The share of successes with the exact interval of Clopper and Pearson; `trials` > 0.
Interval share_interval(std::int64_t successes, std::int64_t trials, double level = 0.95);

/// What a picture draws around a mean: Student's t interval, cut off at the least and the largest value, so that it
/// never shows what no value reached. For fewer than `fewest_for_bands` values it is their range, which is not an
/// interval for the mean: a picture says so or draws every value.
Interval drawn_interval(std::span<const double> values);
inline constexpr std::size_t fewest_for_bands = 6;

/// Interval for the mean of one long dependent trajectory: Student's t on the means of `batches` blocks of equal length
/// (a remainder at the front counts in the mean but not in the width).
Interval batch_means_interval(std::span<const double> trajectory, int batches = 20, double level = 0.95);

/// P(a < b) + P(a = b)/2 for independent draws from the two samples: the probability that a has the lower cost.
double probability_of_improvement(std::span<const double> a, std::span<const double> b);

/// The mean of that probability over tasks; `pairs` has the two samples of each task one after the other. Newcombe's
/// score interval with Student's t: it is never empty, even if one sample is below the other. Unbounded ([0, 1]) if
/// every sample has one value.
Interval improvement_interval(std::span<const std::vector<double>> pairs, double level = 0.95);

/// P(X >= successes) for a binomial X; `probability` in (0, 1).
double binomial_tail(std::int64_t successes, std::int64_t trials, double probability);

/// P(T > t) for Student's t; `degrees` > 0.
double student_tail(double t, double degrees);

/// Holm's step-down correction: adjusted p values in the given order. Rejecting where they are at most alpha rejects
/// some true hypothesis with probability alpha at most, whatever the dependence.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace politex::inline base
