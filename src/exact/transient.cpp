#include "politex/exact/transient.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace politex::exact {
namespace {

// What an expected cost is above the gain has no effect on a sum once it is this small beside the first.
constexpr double negligible = 1e-17;
// Laws whose distance is below this are the same: rounding alone makes as much.
constexpr double same_law = 1e-13;

double largest(const std::vector<double>& f) {
  double most = 0.0;
  for (const double value : f) most = std::max(most, std::abs(value));
  return most;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>{},
                               [](double x, double y) { return std::abs(x - y); });
}

// c - g. Sums of its powers are small where h = sum over all of them is huge: a policy that all but falls apart.
std::vector<double> above_gain(const Chain& chain, const Evaluation& evaluation) {
  std::vector<double> above = chain.cost;
  for (std::size_t x = 0; x < above.size(); ++x) above[x] -= evaluation.gain[x];
  return above;
}

}  // namespace

Transients::Transients(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation)
    : chain_(chain_of(model, policy)), above_(above_gain(chain_, evaluation)) {}

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
      above_(above_gain(chain_, evaluation)),
      limit_(evaluation.stationary),
      law_(above_.size(), 0.0),
      next_(above_.size()),
      period_(evaluation.period) {
  law_[static_cast<std::size_t>(model.start)] = 1.0;
  constexpr std::int64_t longest_cycle = 100'000;  // beyond it every step is walked
  if (period_ > longest_cycle) period_ = 0;
  before_ = law_;
  cycle_.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, period_)), 0.0);
}

void ExpectedPath::step() {
  const int n = chain_.states();
  sum_ += std::inner_product(law_.begin(), law_.end(), above_.begin(), 0.0);
  std::ranges::fill(next_, chain_.teleport / n);
  for (int x = 0; x < n; ++x) {
    const double mass = (1.0 - chain_.teleport) * law_[x];
    if (mass == 0.0) continue;
    const auto columns = chain_.rows.indices(x);
    const auto values = chain_.rows.values(x);
    for (std::size_t e = 0; e < columns.size(); ++e) next_[columns[e]] += mass * values[e];
  }
  law_.swap(next_);
  ++walked_;
  cycle_[period_ == 0 ? 0 : static_cast<std::size_t>(walked_ % period_)] = sum_;
  if (period_ == 0 || walked_ % period_ != 0) return;
  // Without a period the limit itself is known, which does not mistake slow mixing for its end.
  settled_ = distance(law_, period_ == 1 ? limit_ : before_) < same_law;
  before_ = law_;
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
