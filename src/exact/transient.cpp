#include "politex/exact/transient.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace politex::exact {
namespace {

// Terms this small relative to the first do not change the sum.
constexpr double negligible = 1e-17;
// Distributions closer than this are equal up to rounding.
constexpr double same_distribution = 1e-13;

double largest(const std::vector<double>& f) {
  double most = 0.0;
  for (const double value : f) most = std::max(most, std::abs(value));
  return most;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>{},
                               [](double x, double y) { return std::abs(x - y); });
}

}  // namespace

Transients::Transients(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation)
    : chain_(chain_of(model, policy)), above_(evaluation.excess) {}

const std::vector<double>& Transients::of(std::int64_t steps) {
  for (const auto& [length, costs] : known_) {
    if (length == steps) return costs;
  }
  const int n = chain_.states();
  const double small = negligible * largest(above_);
  std::vector<double> later = above_, next(above_.size()), costs(above_.size(), 0.0);
  for (std::int64_t t = 0; t < steps && largest(later) > small; ++t) {
    for (std::size_t x = 0; x < costs.size(); ++x) costs[x] += later[x];
    const double jump = chain_.teleport * std::accumulate(later.begin(), later.end(), 0.0) / n;
    for (int x = 0; x < n; ++x) {
      const auto columns = chain_.rows.indices(x);
      const auto values = chain_.rows.values(x);
      double sum = 0.0;
      for (std::size_t e = 0; e < columns.size(); ++e) sum += values[e] * later[columns[e]];
      next[x] = jump + (1.0 - chain_.teleport) * sum;
    }
    later.swap(next);
  }
  return known_.emplace_back(steps, std::move(costs)).second;
}

std::vector<double> transient_cost(const FiniteModel& model, std::span<const double> policy,
                                   const Evaluation& evaluation, std::int64_t steps) {
  return Transients(model, policy, evaluation).of(steps);
}

ExpectedPath::ExpectedPath(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation)
    : chain_(chain_of(model, policy)),
      above_(evaluation.excess),
      limit_(evaluation.stationary),
      distribution_(above_.size(), 0.0),
      next_(above_.size()),
      period_(evaluation.period) {
  distribution_[static_cast<std::size_t>(model.start)] = 1.0;
  constexpr std::int64_t longest_cycle = 100'000;  // for longer periods every step is computed
  if (period_ > longest_cycle) period_ = 0;
  before_ = distribution_;
  cycle_.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, period_)), 0.0);
}

void ExpectedPath::step() {
  const int n = chain_.states();
  sum_ += std::inner_product(distribution_.begin(), distribution_.end(), above_.begin(), 0.0);
  std::ranges::fill(next_, chain_.teleport / n);
  for (int x = 0; x < n; ++x) {
    const double mass = (1.0 - chain_.teleport) * distribution_[x];
    if (mass == 0.0) continue;
    const auto columns = chain_.rows.indices(x);
    const auto values = chain_.rows.values(x);
    for (std::size_t e = 0; e < columns.size(); ++e) next_[columns[e]] += mass * values[e];
  }
  distribution_.swap(next_);
  ++walked_;
  cycle_[period_ == 0 ? 0 : static_cast<std::size_t>(walked_ % period_)] = sum_;
  if (period_ == 0 || walked_ % period_ != 0) return;
  // An aperiodic chain is compared with its known limit, so that slow mixing is not mistaken for convergence.
  settled_ = distance(distribution_, period_ == 1 ? limit_ : before_) < same_distribution;
  before_ = distribution_;
}

double ExpectedPath::sum_up_to(std::int64_t at) {
  while (walked_ < at && !settled_) step();
  return cycle_[period_ == 0 ? 0 : static_cast<std::size_t>(at % period_)];
}

double ExpectedPath::advance(std::int64_t steps) {
  const double before = sum_up_to(now_);
  now_ += steps;
  return sum_up_to(now_) - before;
}

}  // namespace politex::exact
