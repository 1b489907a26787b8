// Means and intervals for tables and figures. Sums follow the order of the values: equal values give equal bits.
#pragma once

#include <cstdint>
#include <functional>
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

/// Mean of the middle half: floor(n/4) values are left out at each end.
double interquartile_mean(std::span<const double> values);

/// Linear interpolation between order statistics (R's type 7); `probability` in [0, 1].
double quantile(std::span<const double> values, double probability);

using Statistic = std::function<double(std::span<const double>)>;

/// Percentile bootstrap of a statistic of all values, resampling within each stratum (seeds are the replicates of a
/// stratum). Resamples use the stream (seed, bootstrap), so the result is a function of the arguments.
Interval stratified_bootstrap(std::span<const std::vector<double>> strata, const Statistic& statistic,
                              int resamples = 2000, double level = 0.95, std::uint64_t seed = 1);

/// The same for a statistic that needs the strata separately, e.g. to weight them equally.
using StrataStatistic = std::function<double(std::span<const std::vector<double>>)>;
Interval bootstrap_of_strata(std::span<const std::vector<double>> strata, const StrataStatistic& statistic,
                             int resamples = 2000, double level = 0.95, std::uint64_t seed = 1);

/// Every stratum has the same weight, divided equally among its values.
double mean_of_strata(std::span<const std::vector<double>> strata);
/// The mean over the middle half of that weight; a value across a quartile counts with the part inside.
double interquartile_mean_of_strata(std::span<const std::vector<double>> strata);

/// Interval for the mean of one long dependent trajectory: Student's t on the means of `batches` blocks of equal length
/// (a remainder at the front counts in the mean but not in the width).
Interval batch_means_interval(std::span<const double> trajectory, int batches = 20, double level = 0.95);

/// P(a < b) + P(a = b)/2 for independent draws from the two samples: the probability that a has the lower cost.
double probability_of_improvement(std::span<const double> a, std::span<const double> b);

}  // namespace politex::inline base
