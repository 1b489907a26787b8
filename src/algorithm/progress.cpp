#include "politex/algorithm/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline algorithm {

void Progress::add(const Phase& phase, std::span<const double> weights) {
  costs_.add(phase);
  // Only a whole phase changes the weights.
  if (is_whole(phase) && !std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); }))
    throw Error(fmt::format(
        "the estimate of phase {} is not finite: the least squares overflowed or diverged; smaller features, costs or "
        "steps, or a larger algorithm.ridge, may help",
        phases_ + 1));
  steps_ += static_cast<std::int64_t>(phase.costs.size());
  ++phases_;
  signature_.add(phase.pairs);
  if (!phase.slots_are_states) signature_.add(phase.costs);
  signature_.add(weights);
}

bool Progress::Mark::fits(const Progress& later) const noexcept {
  std::int64_t counted = 0;
  for (std::size_t by = 0; by < costs.sums.size(); ++by) {
    const CostLedger::Sum& sum = costs.sums[by];
    if (sum.steps < 0 || sum.steps > later.costs().sum(static_cast<By>(by)).steps || !std::isfinite(sum.cost))
      return false;
    counted += sum.steps;
  }
  return counted == steps && phases >= 0 && phases <= later.phases() && std::isfinite(costs.last_tenth_cost) &&
         std::isfinite(costs.phase_average);
}

void Progress::rewind(const Mark& mark) {
  steps_ = mark.steps;
  phases_ = mark.phases;
  signature_.restore(mark.signature);
  costs_.rewind(mark.costs);
}

void Progress::save(ByteWriter& to) const {
  to.put(steps_);
  to.put(phases_);
  to.put(signature_.value());
  costs_.save(to);
}

void Progress::restore(ByteReader& from) {
  from.get_count(steps_, "steps");
  from.get_within(phases_, 0, steps_, "phases");
  signature_.restore(from.get<std::uint64_t>());
  costs_.restore(from);
  check_saved(costs_.all().steps == steps_, "steps");
}

}  // namespace politex::inline algorithm
