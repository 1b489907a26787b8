#include "politex/algorithm/cost_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"
#include "politex/base/unknown.hpp"

namespace politex::inline algorithm {
namespace {

/// The largest number of costs that an extendable run keeps. If its last tenth is longer, the mean over it is unknown.
constexpr std::int64_t most_kept = 5'000'000;

}  // namespace

void CostLedger::add(const Phase& phase) {
  const std::int64_t before = all().steps;
  const auto steps = static_cast<std::int64_t>(phase.costs.size());
  double phase_cost = 0.0;
  std::size_t at = 0;
  for_each_segment(phase, [&](std::int64_t count, By by) {
    double total = 0.0;
    for (const std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at) total += phase.costs[at];
    Sum& sum = sums_[static_cast<std::size_t>(by)];
    sum.steps += count;
    sum.cost += total;
    phase_cost += total;
  });
  require_finite(phase_cost, phase, before);
  phase_average_ = phase_cost / static_cast<double>(steps);
  if (before + steps > last_tenth_begin_)
    for (auto t = static_cast<std::size_t>(std::max<std::int64_t>(0, last_tenth_begin_ - before));
         t < phase.costs.size(); ++t)
      last_tenth_cost_ += phase.costs[t];
  if (keeps_) keep(phase, before);
}

void CostLedger::require_finite(double phase_cost, const Phase& phase, std::int64_t before) const {
  if (std::isfinite(phase_cost)) return;
  const auto bad = std::ranges::find_if_not(phase.costs, [](double cost) { return std::isfinite(cost); });
  if (bad == phase.costs.end())
    throw Error(
        fmt::format("the costs of the phase that ended at step {} sum to more than a number can hold; give them in "
                    "another unit",
                    before + static_cast<std::int64_t>(phase.costs.size())));
  throw Error(fmt::format("the environment gave the cost {} at step {}: costs must be finite", *bad,
                          before + (bad - phase.costs.begin()) + 1));
}

void CostLedger::keep(const Phase& phase, std::int64_t before) {
  const std::int64_t after = before + static_cast<std::int64_t>(phase.costs.size());
  const std::int64_t needed = after - (after + 9) / 10;
  if (after - needed > most_kept) {
    kept_.clear();
    kept_begin_ = after;
    return;
  }
  kept_.insert(kept_.end(), phase.costs.begin(), phase.costs.end());
  const auto spare = static_cast<std::ptrdiff_t>(needed - kept_begin_);
  if (2 * spare < static_cast<std::ptrdiff_t>(kept_.size())) return;
  kept_.erase(kept_.begin(), kept_.begin() + spare);
  kept_begin_ = needed;
}

CostLedger::Sum CostLedger::all() const noexcept {
  Sum total;
  for (const Sum& sum : sums_) {
    total.steps += sum.steps;
    total.cost += sum.cost;
  }
  return total;
}

CostLedger::Sum CostLedger::last_tenth() const {
  const std::int64_t steps = all().steps;
  const bool as_planned = steps == last_tenth_begin_ + last_tenth_steps_;
  if (!keeps_ || as_planned) return {last_tenth_steps_, last_tenth_cost_};
  Sum sum{(steps + 9) / 10, 0.0};
  const std::int64_t begin = steps - sum.steps;
  if (begin < kept_begin_) return {sum.steps, unknown};
  for (auto t = static_cast<std::size_t>(begin - kept_begin_); t < kept_.size(); ++t) sum.cost += kept_[t];
  return sum;
}

void CostLedger::rewind(const Mark& mark) {
  sums_ = mark.sums;
  last_tenth_cost_ = mark.last_tenth_cost;
  phase_average_ = mark.phase_average;
  kept_begin_ = std::min(kept_begin_, all().steps);
  kept_.resize(std::min(kept_.size(), static_cast<std::size_t>(all().steps - kept_begin_)));
}

void CostLedger::save(ByteWriter& to) const {
  to.put(sums_);
  to.put(last_tenth_cost_);
  to.put(phase_average_);
  if (!keeps_) return;
  to.put(kept_begin_);
  to.put(kept_);
}

void CostLedger::restore(ByteReader& from) {
  from.get(sums_);
  for (const Sum& sum : sums_)
    check_saved(sum.steps >= 0 && sum.steps <= ByteReader::most && std::isfinite(sum.cost), "costs");
  from.get_finite(last_tenth_cost_, "costs");
  from.get_finite(phase_average_, "costs");
  if (!keeps_) return;
  from.get_within(kept_begin_, 0, all().steps, "costs");
  from.get_sized(kept_, static_cast<std::size_t>(all().steps - kept_begin_), "costs");
}

}  // namespace politex::inline algorithm
