#include "politex/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "politex/base/rng.hpp"
#include "politex/base/unknown.hpp"

namespace politex::inline base {

namespace {

/// Lentz's continued fraction of the incomplete beta function; converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  const auto away_from_zero = [](double value) { return std::abs(value) < 1e-300 ? 1e-300 : value; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double value = d;
  for (int m = 1; m <= 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1.0) < 1e-15) break;
  }
  return value;
}

// std::lgamma writes the sign to a global variable: a data race between threads.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0.0) return 0.0;
  if (x >= 1.0) return 1.0;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

/// P(T > t) for t >= 0.
double student_tail(double t, double degrees) {
  return 0.5 * incomplete_beta(0.5 * degrees, 0.5, degrees / (degrees + t * t));
}

}  // namespace

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return unknown;
  const double centre = mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double student_quantile(double probability, double degrees) {
  if (probability < 0.5) return -student_quantile(1.0 - probability, degrees);
  const double tail = 1.0 - probability;
  double low = 0.0;
  double high = 1.0;
  while (student_tail(high, degrees) > tail) high *= 2.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (student_tail(middle, degrees) > tail ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Interval t_interval(std::span<const double> values, double level) {
  const double centre = mean(values);
  if (values.empty()) return {centre, centre, centre};
  if (values.size() == 1) {
    return {centre, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  const auto count = static_cast<double>(values.size());
  const double half = student_quantile(0.5 + 0.5 * level, count - 1.0) * standard_deviation(values) / std::sqrt(count);
  return {centre, centre - half, centre + half};
}

double interquartile_mean(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t cut = sorted.size() / 4;
  return mean(std::span(sorted).subspan(cut, sorted.size() - 2 * cut));
}

double quantile(std::span<const double> values, double probability) {
  if (values.empty()) return unknown;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double position = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Interval stratified_bootstrap(std::span<const std::vector<double>> strata, const Statistic& statistic, int resamples,
                              double level, std::uint64_t seed) {
  std::vector<double> all;
  const auto pooled = [&](std::span<const std::vector<double>> drawn) {
    all.clear();
    for (const auto& stratum : drawn) all.insert(all.end(), stratum.begin(), stratum.end());
    return all.empty() ? unknown : statistic(all);
  };
  return bootstrap_of_strata(strata, pooled, resamples, level, seed);
}

Interval bootstrap_of_strata(std::span<const std::vector<double>> strata, const StrataStatistic& statistic,
                             int resamples, double level, std::uint64_t seed) {
  if (std::ranges::all_of(strata, [](const auto& stratum) { return stratum.empty(); }))
    return {unknown, unknown, unknown};
  const double estimate = statistic(strata);
  Rng rng(seed, Use::bootstrap);
  std::vector<std::vector<double>> drawn(strata.begin(), strata.end());
  std::vector<double> statistics;
  statistics.reserve(static_cast<std::size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    for (std::size_t j = 0; j < strata.size(); ++j) {
      for (double& value : drawn[j]) value = strata[j][rng.below(strata[j].size())];
    }
    statistics.push_back(statistic(drawn));
  }
  return {estimate, quantile(statistics, 0.5 - 0.5 * level), quantile(statistics, 0.5 + 0.5 * level)};
}

double mean_of_strata(std::span<const std::vector<double>> strata) {
  double sum = 0.0;
  for (const auto& stratum : strata) sum += mean(stratum);
  return sum / static_cast<double>(strata.size());
}

double interquartile_mean_of_strata(std::span<const std::vector<double>> strata) {
  std::vector<std::pair<double, double>> weighted;  // value, weight
  for (const auto& stratum : strata) {
    const double weight = 1.0 / static_cast<double>(strata.size() * stratum.size());
    for (const double value : stratum) weighted.emplace_back(value, weight);
  }
  std::ranges::sort(weighted);
  double below = 0.0;  // total weight of the smaller values
  double sum = 0.0;
  for (const auto& [value, weight] : weighted) {
    const double inside = std::min(below + weight, 0.75) - std::max(below, 0.25);
    if (inside > 0.0) sum += inside * value;
    below += weight;
  }
  return sum / 0.5;
}

Interval batch_means_interval(std::span<const double> trajectory, int batches, double level) {
  const std::size_t length = trajectory.size() / static_cast<std::size_t>(batches);
  if (length == 0) return {mean(trajectory), unknown, unknown};
  const std::size_t skip = trajectory.size() - length * static_cast<std::size_t>(batches);
  std::vector<double> means;
  for (std::size_t i = 0; i < static_cast<std::size_t>(batches); ++i) {
    means.push_back(mean(trajectory.subspan(skip + i * length, length)));
  }
  const double half = t_interval(means, level).half_width();
  const double centre = mean(trajectory);
  return {centre, centre - half, centre + half};
}

double probability_of_improvement(std::span<const double> a, std::span<const double> b) {
  // Sorted to avoid comparing all pairs: a bootstrap calls this thousands of times.
  std::vector<double> others(b.begin(), b.end());
  std::ranges::sort(others);
  double wins = 0.0;
  for (const double x : a) {
    const auto [first, last] = std::ranges::equal_range(others, x);
    wins += static_cast<double>(others.end() - last) + 0.5 * static_cast<double>(last - first);
  }
  return wins / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

}  // namespace politex::inline base
