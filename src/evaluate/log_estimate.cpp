#include "politex/evaluate/log_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/statistics.hpp"

namespace politex::inline evaluate {
namespace {

constexpr double fewest_effective_lines = 100.0;

constexpr double unseen_lines = 2.0;  // of every pair

/// Covariance of the values of next states under two policies; a line counts by its leverage, so that every pair counts
/// once, however many lines it has.
double covariance(const LogEstimate& one, const LogEstimate& other) {
  double total = 0.0, mean_one = 0.0, mean_other = 0.0, products = 0.0;
  for (std::size_t t = 0; t < one.leverage.size(); ++t) {
    total += one.leverage[t];
    mean_one += one.leverage[t] * one.value[t];
    mean_other += one.leverage[t] * other.value[t];
  }
  if (total == 0.0) return 0.0;
  mean_one /= total;
  mean_other /= total;
  for (std::size_t t = 0; t < one.leverage.size(); ++t)
    products += one.leverage[t] * (one.value[t] - mean_one) * (other.value[t] - mean_other);
  return products / total;
}

/// Covariance of what the unseen lines do to the two estimates.
double unseen(const LogEstimate& one, const LogEstimate& other) {
  double weights = 0.0;
  for (std::size_t t = 0; t < one.leverage.size(); ++t) weights += one.weight[t] * other.weight[t] * one.leverage[t];
  return unseen_lines * weights * covariance(one, other);
}

Interval around(double mean, const std::vector<double>& influence, double unseen_variance, double alpha) {
  double variance = std::max(0.0, unseen_variance);
  for (const double each : influence) variance += each * each;
  const double half = student_quantile(1.0 - 0.5 * alpha, static_cast<double>(influence.size())) * std::sqrt(variance);
  return {mean, mean - half, mean + half};
}

AverageCost average_of_log(const LogEstimate& estimate, const std::string& method, double alpha) {
  return {.interval = around(estimate.gain, estimate.influence, unseen(estimate, estimate), alpha),
          .steps = static_cast<std::int64_t>(estimate.influence.size()),
          .method = method,
          .refusal = {}};
}

}  // namespace

void does_not_cover(const std::string& file, const std::string& why) {
  throw ConfigError{"--log", fmt::format("{} does not cover the policy: {}; accepted: a log in which every action that "
                                         "the policy takes was taken there too",
                                         file, why)};
}

void check_effective_lines(const std::string& file, double weights, double squares, std::size_t lines) {
  if (const double effective = weights * weights / squares; !(effective >= fewest_effective_lines))
    does_not_cover(file, fmt::format("its {} lines are worth {:.0f} lines of the policy itself; at least {:.0f} are "
                                     "needed",
                                     lines, effective, fewest_effective_lines));
}

Comparison compare_estimates(const LogEstimate& policy, const LogEstimate* reference, const std::string& method,
                             double alpha) {
  Comparison out{.policy = average_of_log(policy, method, alpha)};
  if (reference == nullptr) return out;
  out.reference = average_of_log(*reference, method, alpha);
  std::vector<double> paired(policy.influence.size());
  for (std::size_t t = 0; t < paired.size(); ++t) paired[t] = policy.influence[t] - reference->influence[t];
  const double unseen_variance =
      unseen(policy, policy) - 2.0 * unseen(policy, *reference) + unseen(*reference, *reference);
  Difference difference{.interval = around(policy.gain - reference->gain, paired, unseen_variance, alpha),
                        .refusal = {}};
  difference.verdict = difference.interval.high < 0.0  ? Verdict::better
                       : difference.interval.low > 0.0 ? Verdict::worse
                                                       : Verdict::not_yet;
  out.difference = difference;
  return out;
}

}  // namespace politex::inline evaluate
