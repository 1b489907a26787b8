#include "politex/watch/q_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "politex/base/saved.hpp"
#include "politex/base/unknown.hpp"
#include "politex/exact/excitation.hpp"

namespace politex::inline watch {
namespace {

constexpr QError no_error{unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown};
/// An error of the exact Q is tolerated if it is this small relative to the error that is measured.
constexpr double most_hidden = 1e-6;
/// Beyond this many features eps_0 is left out: factoring their normal matrix would take longer than the run.
constexpr int most_features = 1000;

struct Moments {
  double mean = 0.0, variance = 0.0;
};

Moments moments(std::span<const double> f, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double mean = std::inner_product(f.begin(), f.end(), weights.begin(), 0.0) / total;
  double variance = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) variance += weights[i] * (f[i] - mean) * (f[i] - mean);
  return {mean, variance / total};
}

/// The larger one, if both are known.
double largest_known(double a, double b) { return std::isnan(a) || std::isnan(b) ? unknown : std::max(a, b); }

double largest_ratio(std::span<const double> weights, std::span<const double> over) {
  double most = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) most = std::max(most, weights[i] / over[i]);  // infinite where the other distribution is 0
  }
  return most;
}

/// One number per part of the errors; `over` gets the known values of a part, ascending.
template <class Summarise>
QError summarised(const std::vector<QError>& phases, Summarise over) {
  QError result = no_error;
  for (double QError::*part : {&QError::star, &QError::star_least, &QError::star_most, &QError::horizon,
                               &QError::policy, &QError::theorem, &QError::explore, &QError::density_ratio}) {
    std::vector<double> values;
    for (const QError& one : phases) {
      if (!std::isnan(one.*part)) values.push_back(one.*part);
    }
    std::ranges::sort(values);
    if (!values.empty()) result.*part = over(values);
  }
  return result;
}

}  // namespace

double common_constant_norm(std::span<const double> f, std::span<const double> weights_a,
                            std::span<const double> weights_b) {
  const Moments a = moments(f, weights_a), b = moments(f, weights_b);
  const double apart = b.mean - a.mean;
  if (a.variance >= b.variance + apart * apart) return std::sqrt(a.variance);
  if (b.variance >= a.variance + apart * apart) return std::sqrt(b.variance);
  // Between the means, where both norms are equal; apart is not 0 here.
  const double beyond_a = (b.variance - a.variance + apart * apart) / (2.0 * apart);
  return std::sqrt(a.variance + beyond_a * beyond_a);
}

QErrors::QErrors(const FiniteModel& model, const Features& features, Distributions distributions)
    : model_(&model),
      distributions_(std::move(distributions)),
      star_distribution_(
          exact::pair_distribution(model, distributions_.optimal_stationary, distributions_.optimal_policy)),
      newest_(no_error) {
  totals_.eps_0 = totals_.w_max = totals_.q_max = unknown;
  if (distributions_.explorer.empty()) return;
  explore_distribution_ = exact::uniform_pair_distribution(model, distributions_.explorer);
  if (features.dimension() <= most_features) fit_.emplace(features.by_pair(), explore_distribution_);
}

void QErrors::skip() { newest_ = no_error; }

void QErrors::add(std::span<const double> policy, const exact::Evaluation& evaluation, std::span<const double> estimate,
                  std::span<const double> horizon_q) {
  const exact::ActionValues truth = exact::action_values(*model_, evaluation);
  const std::vector<double>& q = truth.value;
  const auto minus = [&](std::span<const double> from) {
    std::vector<double> error(estimate.begin(), estimate.end());
    for (std::size_t pair = 0; pair < error.size(); ++pair) error[pair] -= from[pair];
    return error;
  };
  const std::vector<double> error = minus(q);
  // The error of a norm is at most the norm of the error of Q.
  const auto known = [&](double norm, std::span<const double> distribution) {
    double square = 0.0;
    for (std::size_t pair = 0; pair < q.size(); ++pair) {
      if (distribution[pair] > 0.0) square += distribution[pair] * truth.value_error[pair] * truth.value_error[pair];
    }
    return std::sqrt(square) <= most_hidden * norm + exact::reported_error ? norm : unknown;
  };
  const std::vector<double> policy_distribution =
      exact::pair_distribution(*model_, distributions_.optimal_stationary, policy);
  newest_ = no_error;
  newest_.star = known(exact::centred_norm(error, star_distribution_), star_distribution_);
  newest_.star_least = newest_.star_most = newest_.star;
  for (const std::vector<double>& other : distributions_.others) {
    const double norm = known(exact::centred_norm(error, other), other);
    newest_.star_least = -largest_known(-newest_.star_least, -norm);
    newest_.star_most = largest_known(newest_.star_most, norm);
  }
  if (!horizon_q.empty()) newest_.horizon = exact::centred_norm(minus(horizon_q), star_distribution_);
  newest_.policy = known(exact::centred_norm(error, policy_distribution), policy_distribution);
  newest_.theorem = common_constant_norm(error, star_distribution_, policy_distribution);
  if (std::isnan(newest_.star) || std::isnan(newest_.policy)) newest_.theorem = unknown;
  if (!explore_distribution_.empty()) {
    newest_.explore = known(exact::centred_norm(error, explore_distribution_), explore_distribution_);
    newest_.density_ratio = std::max(largest_ratio(star_distribution_, explore_distribution_),
                                     largest_ratio(policy_distribution, explore_distribution_));
  }
  ++totals_.measured;
  phases_.push_back(newest_);
  // A maximum over some of the policies is not the maximum: one that is unknown makes it unknown.
  const bool whole = evaluation.relative_error() <= exact::reported_error && !std::isnan(newest_.explore);
  const exact::Fit fit =
      fit_ && whole ? fit_->fit(q) : exact::Fit{.weights = {}, .error = unknown, .weight_norm = unknown};
  const bool first = totals_.measured == 1;
  totals_.eps_0 = first ? fit.error : largest_known(totals_.eps_0, fit.error);
  totals_.w_max = first ? fit.weight_norm : largest_known(totals_.w_max, fit.weight_norm);
  totals_.q_max = first ? fit.q_max() : largest_known(totals_.q_max, fit.q_max());
  const auto [low, high] = std::ranges::minmax(estimate);
  totals_.q_range = std::max(totals_.q_range, high - low);
  double action_range = 0.0;
  for (std::size_t row = 0; row < estimate.size(); row += static_cast<std::size_t>(model_->actions)) {
    const auto [least, most] = std::ranges::minmax(estimate.subspan(row, static_cast<std::size_t>(model_->actions)));
    action_range = std::max(action_range, most - least);
  }
  totals_.squared_action_ranges += action_range * action_range;
}

TheorySummary QErrors::summary() const {
  TheorySummary summary;
  summary.measured = totals_.measured;
  summary.known = std::ranges::count_if(phases_, [](const QError& one) { return !std::isnan(one.theorem); });
  summary.mean = summarised(phases_, [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  });
  summary.median = summarised(phases_, [](const std::vector<double>& values) {
    return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
  });
  const auto count = phases_.size();
  summary.largest = summarised(
      phases_, [count](const std::vector<double>& values) { return values.size() == count ? values.back() : unknown; });
  summary.eps_0 = totals_.eps_0;
  summary.w_max = totals_.w_max;
  summary.q_max = totals_.q_max;
  summary.q_range = totals_.q_range;
  return summary;
}

void QErrors::save(ByteWriter& to) const {
  to.put(newest_);
  to.put(totals_);
  to.put(phases_);
}

void QErrors::restore(ByteReader& from) {
  from.get(newest_);
  from.get(totals_);
  from.get(phases_);
  check_saved(totals_.measured == static_cast<std::int64_t>(phases_.size()), "errors of Q");
}

}  // namespace politex::inline watch
