#include "politex/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

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

/// The x at which a decreasing function crosses `level`, in [low, high].
template <class Function>
double crossing(const Function& decreasing, double level, double low, double high) {
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (decreasing(middle) > level ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

Interval around(double centre, double half) { return {centre, centre - half, centre + half}; }

}  // namespace

double student_tail(double t, double degrees) {
  if (t < 0.0) return 1.0 - student_tail(-t, degrees);
  if (std::isinf(t)) return 0.0;
  return 0.5 * incomplete_beta(0.5 * degrees, 0.5, degrees / (degrees + t * t));
}

double binomial_tail(std::int64_t successes, std::int64_t trials, double probability) {
  if (successes <= 0) return 1.0;
  if (successes > trials) return 0.0;
  return incomplete_beta(static_cast<double>(successes), static_cast<double>(trials - successes + 1), probability);
}

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
  double high = 1.0;
  while (student_tail(high, degrees) > tail) high *= 2.0;
  return crossing([&](double t) { return student_tail(t, degrees); }, tail, 0.0, high);
}

Interval t_interval(std::span<const double> values, double level) {
  const double centre = mean(values);
  if (values.empty()) return {centre, centre, centre};
  if (values.size() == 1) return around(centre, infinity);
  const auto count = static_cast<double>(values.size());
  return around(centre,
                student_quantile(0.5 + 0.5 * level, count - 1.0) * standard_deviation(values) / std::sqrt(count));
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

double mean_of_strata(std::span<const std::vector<double>> strata) {
  double sum = 0.0;
  for (const auto& stratum : strata) sum += mean(stratum);
  return sum / static_cast<double>(strata.size());
}

Interval t_interval_of_strata(std::span<const std::vector<double>> strata, double level) {
  if (strata.empty() || std::ranges::any_of(strata, [](const auto& one) { return one.empty(); }))
    return {unknown, unknown, unknown};
  const double centre = mean_of_strata(strata);
  const std::size_t fewest = std::ranges::min_element(strata, {}, &std::vector<double>::size)->size();
  if (fewest < 2) return around(centre, infinity);
  double variance = 0.0;
  for (const auto& stratum : strata) {
    const double deviation = standard_deviation(stratum);
    variance += deviation * deviation / static_cast<double>(stratum.size());
  }
  const double error = std::sqrt(variance) / static_cast<double>(strata.size());
  return around(centre, student_quantile(0.5 + 0.5 * level, static_cast<double>(fewest - 1)) * error);
}

Interval median_interval(std::span<const double> values, double level) {
  if (values.empty()) return {unknown, unknown, unknown};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto count = static_cast<std::int64_t>(sorted.size());
  // The k-th value from each end misses the median if fewer than k values are on that side of it.
  const auto missed = [&](std::int64_t k) { return 2.0 * binomial_tail(count - k + 1, count, 0.5); };
  std::int64_t k = 0;
  while (k + 1 <= count / 2 && missed(k + 1) <= 1.0 - level) ++k;
  const double median = quantile(sorted, 0.5);
  if (k == 0) return around(median, infinity);
  return {median, sorted[static_cast<std::size_t>(k - 1)], sorted[static_cast<std::size_t>(count - k)]};
}

Interval share_interval(std::int64_t successes, std::int64_t trials, double level) {
  const double tail = 0.5 - 0.5 * level;
  const auto at_most = [&](double share) { return 1.0 - binomial_tail(successes + 1, trials, share); };
  const auto fewer = [&](double share) { return 1.0 - binomial_tail(successes, trials, share); };
  return {static_cast<double>(successes) / static_cast<double>(trials),
          successes == 0 ? 0.0 : crossing(fewer, 1.0 - tail, 0.0, 1.0),
          successes == trials ? 1.0 : crossing(at_most, tail, 0.0, 1.0)};
}

Interval drawn_interval(std::span<const double> values) {
  if (values.empty()) return {unknown, unknown, unknown};
  const auto [least, most] = std::ranges::minmax(values);
  const Interval interval = t_interval(values);
  if (values.size() < fewest_for_bands) return {interval.mean, least, most};
  return {interval.mean, std::max(interval.low, least), std::min(interval.high, most)};
}

Interval batch_means_interval(std::span<const double> trajectory, int batches, double level) {
  const std::size_t length = trajectory.size() / static_cast<std::size_t>(batches);
  if (length == 0) return {mean(trajectory), unknown, unknown};
  const std::size_t skip = trajectory.size() - length * static_cast<std::size_t>(batches);
  std::vector<double> means;
  for (std::size_t i = 0; i < static_cast<std::size_t>(batches); ++i) {
    means.push_back(mean(trajectory.subspan(skip + i * length, length)));
  }
  return around(mean(trajectory), t_interval(means, level).half_width());
}

double probability_of_improvement(std::span<const double> a, std::span<const double> b) {
  std::vector<double> others(b.begin(), b.end());
  std::ranges::sort(others);
  double wins = 0.0;
  for (const double x : a) {
    const auto [first, last] = std::ranges::equal_range(others, x);
    wins += static_cast<double>(others.end() - last) + 0.5 * static_cast<double>(last - first);
  }
  return wins / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

Interval improvement_interval(std::span<const std::vector<double>> pairs, double level) {
  if (pairs.empty() || std::ranges::any_of(pairs, [](const auto& one) { return one.empty(); }))
    return {unknown, unknown, unknown};
  const double tasks = 0.5 * static_cast<double>(pairs.size());
  double estimate = 0.0, degrees = 0.0;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    estimate += probability_of_improvement(pairs[i], pairs[i + 1]) / tasks;
    degrees += static_cast<double>(pairs[i].size() + pairs[i + 1].size()) - 2.0;
  }
  if (degrees <= 0.0) return {estimate, 0.0, 1.0};
  // Newcombe (2006), method 5: the variance of the estimate where the true probability is p.
  const auto variance = [&](double p) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      const auto m = static_cast<double>(pairs[i].size()), n = static_cast<double>(pairs[i + 1].size());
      const double shared = (1.0 - p) / (2.0 - p) + p / (1.0 + p);
      sum += p * (1.0 - p) * (1.0 + (0.5 * (m + n) - 1.0) * shared) / (m * n);
    }
    return sum / (tasks * tasks);
  };
  const double t = student_quantile(0.5 + 0.5 * level, degrees);
  const auto excluded = [&](double p) { return std::abs(p - estimate) > t * std::sqrt(variance(p)) ? 1.0 : 0.0; };
  const auto included_from_above = [&](double p) { return 1.0 - excluded(p); };
  return {estimate, crossing(excluded, 0.5, 0.0, estimate), crossing(included_from_above, 0.5, estimate, 1.0)};
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double most = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    most = std::max(most, static_cast<double>(order.size() - rank) * p_values[order[rank]]);
    adjusted[order[rank]] = std::min(1.0, most);
  }
  return adjusted;
}

}  // namespace politex::inline base
