#include "politex/value/replay_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/base/exponential.hpp"

namespace politex::inline value {
namespace {

constexpr int improvements = 20, sweeps_each = 5;
constexpr double tolerance = 2e-3;  // of the spread of costs
constexpr double shortest_horizon = 200.0;
constexpr double untried_optimism = 10.0;  // spreads of cost
constexpr double successor_optimism = 0.25;
constexpr double steps_per_log = 100.0;  // of beta

}  // namespace

ReplayValues::ReplayValues(int states, int actions)
    : counts_(states, actions),
      costs_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 0.0),
      recent_(static_cast<std::size_t>(states), 0.0),
      q_(costs_.size(), 0.0),
      values_(static_cast<std::size_t>(states), 0.0),
      policy_(costs_.size(), 1.0 / actions) {}

double ReplayValues::beta() const {
  return std::sqrt(std::log(static_cast<double>(counts_.actions())) * static_cast<double>(steps_) / steps_per_log);
}

double ReplayValues::discount() const {
  return 1.0 - 1.0 / std::max(shortest_horizon, std::sqrt(static_cast<double>(steps_)));
}

double ReplayValues::spread() const {
  const auto n = static_cast<double>(steps_);
  const double mean = sum_ / n;
  return std::sqrt(std::max(0.0, squares_ / n - mean * mean));
}

void ReplayValues::add(const Phase& phase) {
  const std::int64_t before = steps_;
  const auto length = static_cast<std::int64_t>(phase.costs.size());
  if (before == 0 && length > 0) first_cost_ = phase.costs[0];
  const double keep = 1.0 - std::min(0.5, 2.0 * static_cast<double>(length) / static_cast<double>(before + length));
  for (const std::int32_t state : counts_.seen()) recent_[static_cast<std::size_t>(state)] *= keep;
  for (std::size_t t = 0; t < phase.costs.size(); ++t) {
    const std::int32_t pair = phase.model_pairs[t];
    const std::int32_t next =
        t + 1 < phase.costs.size() ? phase.model_pairs[t + 1] / counts_.actions() : phase.last_state;
    counts_.add(pair, next);
    costs_[static_cast<std::size_t>(pair)] += phase.costs[t];
    recent_[static_cast<std::size_t>(pair / counts_.actions())] += 1.0;
    const double cost = phase.costs[t] - first_cost_;
    sum_ += cost;
    squares_ += cost * cost;
  }
  steps_ += length;
}

double ReplayValues::untried() const {
  double total = 0.0, weight = 0.0;
  for (const std::int32_t state : counts_.seen()) {
    const auto x = static_cast<std::size_t>(state);
    total += recent_[x] * values_[x];
    weight += recent_[x];
  }
  return (weight > 0.0 ? total / weight : 0.0) - untried_optimism * spread();
}

double ReplayValues::evaluate(std::int32_t pair) const noexcept {
  const double n = counts_.count(pair);
  const auto successors = counts_.successors(pair);
  double q = costs_[static_cast<std::size_t>(pair)] / n;
  if (successors.size() == 1) return q + discount_ * values_[static_cast<std::size_t>(successors[0].state)];
  double mean = 0.0;
  for (const auto& next : successors) mean += next.count * values_[static_cast<std::size_t>(next.state)];
  mean /= n;
  double variance = 0.0;
  for (const auto& next : successors) {
    const double difference = values_[static_cast<std::size_t>(next.state)] - mean;
    variance += next.count * difference * difference;
  }
  return q + discount_ * mean - successor_optimism * std::sqrt(variance) / n;
}

double ReplayValues::sweep(bool backwards, double untried_value) {
  const int actions = counts_.actions();
  const auto seen = counts_.seen();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const std::int32_t state = backwards ? seen[seen.size() - 1 - k] : seen[k];
    double value = 0.0;
    for (std::int32_t pair = state * actions; pair < (state + 1) * actions; ++pair) {
      const auto at = static_cast<std::size_t>(pair);
      q_[at] = counts_.count(pair) > 0.0 ? evaluate(pair) : untried_value;
      value += policy_[at] * q_[at];
    }
    double& now = values_[static_cast<std::size_t>(state)];
    least = std::min(least, value - now);
    most = std::max(most, value - now);
    now = value;
  }
  return most - least;
}

void ReplayValues::improve() {
  const auto actions = static_cast<std::size_t>(counts_.actions());
  const double step = beta();
  for (const std::int32_t state : counts_.seen()) {
    const auto begin = static_cast<std::size_t>(state) * actions;
    const auto [low, high] = std::minmax_element(q_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 q_.begin() + static_cast<std::ptrdiff_t>(begin + actions));
    const double least = *low, range = *high - *low;
    double total = 0.0;
    for (std::size_t at = begin; at < begin + actions; ++at)
      total += policy_[at] = range > 0.0 ? exp_nonpositive(-step * (q_[at] - least) / range) : 1.0;
    for (std::size_t at = begin; at < begin + actions; ++at) policy_[at] /= total;
  }
}

void ReplayValues::learn(const Phase& phase) {
  add(phase);
  discount_ = discount();
  const double enough = tolerance * spread();
  for (int i = 0; i < improvements; ++i) {
    const double untried_value = untried();
    bool settled = false;
    for (int k = 0; k < sweeps_each && !settled; ++k) {
      settled = sweep(k % 2 == 1, untried_value) <= enough;
      if (settled && k == 0 && i > 0) {
        improve();
        return;
      }
    }
    improve();
  }
}

void ReplayValues::save(ByteWriter& to) const {
  counts_.save(to);
  for (const auto* each : {&costs_, &recent_, &q_, &values_, &policy_}) to.put(*each);
  to.put(sum_);
  to.put(squares_);
  to.put(first_cost_);
  to.put(steps_);
}

void ReplayValues::restore(ByteReader& from) {
  const std::size_t pairs = costs_.size(), states = values_.size();
  counts_.restore(from);
  for (auto* each : {&costs_, &recent_, &q_, &values_, &policy_}) from.get(*each);
  from.get(sum_);
  from.get(squares_);
  from.get(first_cost_);
  from.get(steps_);
  if (costs_.size() != pairs || q_.size() != pairs || policy_.size() != pairs || recent_.size() != states ||
      values_.size() != states)
    throw Error("the saved values do not fit this environment");
}

}  // namespace politex::inline value
