#include "politex/value/replay_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/exponential.hpp"

namespace politex::inline value {
namespace {

constexpr int most_improvements = 20, fewest_improvements = 5, evaluations_each = 4;
constexpr double work_per_step = 60.0;  // successors that are read; beyond it only `fewest_improvements` are made
constexpr double tolerance = 2e-3;      // of the spread of costs
constexpr double shortest_horizon = 300.0;
constexpr double untried_optimism = 3.0;   // spreads of cost
constexpr double steps_per_log = 100.0;    // of beta
constexpr double rare = 1e-9;              // a probability below which an action is left out of V
constexpr double largest_exponent = 40.0;  // beyond it a probability is taken for 0

}  // namespace

ReplayValues::ReplayValues(int states, int actions, bool masked)
    : counts_(states, actions),
      costs_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 0.0),
      cost_scatter_(costs_.size(), 0.0),
      recent_(static_cast<std::size_t>(states), 0.0),
      q_(costs_.size(), 0.0),
      index_(costs_.size(), 0.0),
      values_(static_cast<std::size_t>(states), 0.0),
      policy_(costs_.size(), 1.0 / actions),
      masked_(masked ? costs_.size() : 0, 0) {}

void ReplayValues::add_masks(const Phase& phase) {
  if (masked_.empty() || phase.possible.empty()) return;
  const auto actions = static_cast<std::size_t>(counts_.actions());
  const auto mark = [&](std::int32_t state, std::int32_t slot) {
    for (std::size_t a = 0; a < actions; ++a)
      masked_[static_cast<std::size_t>(state) * actions + a] =
          phase.possible[static_cast<std::size_t>(slot) * actions + a] == 0 ? 1 : 0;
  };
  for (std::size_t t = 0; t < phase.pairs.size(); ++t)
    mark(phase.model_pairs[t] / counts_.actions(), phase.pairs[t] / counts_.actions());
  mark(phase.last_state, phase.last_slot);
}

std::pair<double, double> ReplayValues::range_of_index(std::int32_t state) const {
  const auto actions = static_cast<std::size_t>(counts_.actions()), first = static_cast<std::size_t>(state) * actions;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t pair = first; pair < first + actions; ++pair) {
    if (is_masked(pair)) continue;
    low = std::min(low, index_[pair]);
    high = std::max(high, index_[pair]);
  }
  return {low, high};
}

double ReplayValues::beta() const {
  return std::sqrt(std::log(static_cast<double>(counts_.actions())) * static_cast<double>(steps_) / steps_per_log);
}

double ReplayValues::discount() const {
  return 1.0 - 1.0 / std::max(shortest_horizon, std::pow(static_cast<double>(steps_), 0.4));
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
    const double cost = phase.costs[t] - first_cost_;
    sum_ += cost;
    squares_ += cost * cost;
    if (phase.was_truncated(t)) continue;
    const std::int32_t pair = phase.model_pairs[t];
    const std::int32_t next =
        t + 1 < phase.costs.size() ? phase.model_pairs[t + 1] / counts_.actions() : phase.last_state;
    const auto at = static_cast<std::size_t>(pair);
    const double n = counts_.count(pair), from_mean = n > 0.0 ? phase.costs[t] - costs_[at] / n : 0.0;
    cost_scatter_[at] += from_mean * from_mean * n / (n + 1.0);
    counts_.add(pair, next);
    costs_[at] += phase.costs[t];
    recent_[static_cast<std::size_t>(pair / counts_.actions())] += 1.0;
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

double ReplayValues::improve_state(std::size_t row, std::size_t first_pair, double untried_value, double step) {
  const auto actions = static_cast<std::size_t>(counts_.actions());
  const std::size_t entries = row * actions;
  const auto q = std::span(q_).subspan(first_pair, actions), index = std::span(index_).subspan(first_pair, actions);
  double visits = 0.0, ahead = 0.0, scatter = 0.0, tried = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < actions; ++a) {
    const std::size_t entry = entries + a;
    const double n = model_.count(entry);
    if (n == 0.0) continue;
    const double mean = model_.mean(entry, values_);
    q[a] = model_.cost(entry) + discount_ * mean;
    index[a] = model_.cost_scatter(entry);
    if (!model_.is_sure(entry)) index[a] += discount_ * discount_ * n * model_.variance(entry, mean, values_);
    visits += n;
    ahead += n * discount_ * mean;
    scatter += index[a];
    tried += 1.0;
    least = std::min(least, q[a]);
  }
  if (tried == 0.0) {
    std::ranges::fill(q, untried_value);
    std::ranges::fill(index, untried_value);
    const auto policy = std::span(policy_).subspan(first_pair, actions);
    double possible = 0.0;
    for (std::size_t a = 0; a < actions; ++a) possible += is_masked(first_pair + a) ? 0.0 : 1.0;
    for (std::size_t a = 0; a < actions; ++a) policy[a] = is_masked(first_pair + a) ? 0.0 : 1.0 / possible;
    return untried_value;
  }
  ahead /= visits;
  for (std::size_t a = 0; a < actions; ++a)
    if (const double n = model_.count(entries + a); n > 0.0) {
      const double difference = q[a] - model_.cost(entries + a) - ahead;
      scatter += n * difference * difference;
    }
  scatter /= visits;
  const double untried_here = least - std::max(0.0, least - untried_value) / tried;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t a = 0; a < actions; ++a) {
    if (model_.count(entries + a) > 0.0)
      index[a] = q[a] - std::sqrt(index[a] + scatter) * model_.inverse_count(entries + a);
    else
      q[a] = index[a] = untried_here;
    if (is_masked(first_pair + a)) continue;
    low = std::min(low, index[a]);
    high = std::max(high, index[a]);
  }
  const auto policy = std::span(policy_).subspan(first_pair, actions);
  const double scale = high > low ? step / (high - low) : 0.0;
  double total = 0.0, value = 0.0;
  for (std::size_t a = 0; a < actions; ++a) {
    const double exponent = scale * (index[a] - low);
    policy[a] = exponent == 0.0 ? 1.0 : exponent > largest_exponent ? 0.0 : exp_nonpositive(-exponent);
    if (is_masked(first_pair + a)) policy[a] = 0.0;
    total += policy[a];
    value += policy[a] * q[a];
  }
  const double share = 1.0 / total;
  for (double& each : policy) each *= share;
  return value * share;
}

double ReplayValues::sweep(bool backwards, auto&& value_of) {
  const auto actions = static_cast<std::size_t>(counts_.actions());
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < model_.rows(); ++k) {
    const std::size_t row = backwards ? model_.rows() - 1 - k : k, state = model_.state(row);
    const double value = value_of(row, state * actions), change = value - values_[state];
    least = std::min(least, change);
    most = std::max(most, change);
    values_[state] = value;
  }
  return most - least;
}

double ReplayValues::improve(bool backwards) {
  const double untried_value = untried(), step = beta();
  return sweep(backwards, [&](std::size_t row, std::size_t first_pair) {
    return improve_state(row, first_pair, untried_value, step);
  });
}

double ReplayValues::evaluate(bool backwards) {
  const auto actions = static_cast<std::size_t>(counts_.actions());
  return sweep(backwards, [&](std::size_t row, std::size_t first_pair) {
    double value = 0.0, total = 0.0;
    for (std::size_t a = 0; a < actions; ++a) {
      const double p = policy_[first_pair + a];
      if (p < rare) continue;
      const std::size_t entry = row * actions + a;
      if (model_.count(entry) > 0.0) q_[first_pair + a] = model_.cost(entry) + discount_ * model_.mean(entry, values_);
      value += p * q_[first_pair + a];
      total += p;
    }
    return value / total;
  });
}

void ReplayValues::learn(const Phase& phase) {
  add_masks(phase);
  add(phase);
  discount_ = discount();
  model_.build(counts_, costs_, cost_scatter_);
  const double enough = tolerance * spread();
  const auto each = static_cast<double>(model_.successors());
  double left = work_per_step * static_cast<double>(phase.costs.size());
  bool backwards = false;
  const auto turn = [&] { return std::exchange(backwards, !backwards); };
  for (int i = 0; i < most_improvements && (left > 0.0 || i < fewest_improvements); ++i) {
    left -= each;
    if (improve(turn()) <= enough) return;
    for (int k = 0; k < evaluations_each && left > 0.0; ++k) {
      left -= each / counts_.actions();
      if (evaluate(turn()) <= enough) break;
    }
  }
}

void ReplayValues::save(ByteWriter& to) const {
  counts_.save(to);
  for (const auto* each : {&costs_, &cost_scatter_, &recent_, &q_, &index_, &values_, &policy_}) to.put(*each);
  if (!masked_.empty()) to.put(masked_);
  to.put(sum_);
  to.put(squares_);
  to.put(first_cost_);
  to.put(steps_);
}

void ReplayValues::restore(ByteReader& from) {
  counts_.restore(from);
  for (auto* each : {&costs_, &cost_scatter_, &recent_, &q_, &index_, &values_, &policy_})
    from.get_again(*each, "values");
  if (!masked_.empty()) from.get_again(masked_, "masks");
  for (double* each : {&sum_, &squares_, &first_cost_}) from.get_finite(*each, "costs");
  from.get_count(steps_, "steps");
}

}  // namespace politex::inline value
