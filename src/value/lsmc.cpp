#include "politex/value/lsmc.hpp"

#include <algorithm>

namespace politex::inline value {
namespace {

bool same_features(const Features& features, std::int32_t a, std::int32_t b) noexcept {
  const FeatureRow one = features.row(a), other = features.row(b);
  return one.offset == other.offset && std::ranges::equal(one.indices, other.indices) &&
         std::ranges::equal(one.values, other.values);
}

}  // namespace

void Lsmc::add_visit(std::int32_t pair, double costs, double length) {
  const auto p = static_cast<std::size_t>(pair);
  if (visits_[p] == 0.0) touched_.push_back(pair);
  visits_[p] += 1.0;
  costs_[p] += costs;
  lengths_[p] += length;
}

void Lsmc::mark_first_visits(const Phase& phase, std::size_t begin, std::size_t end) {
  ++rollout_;
  for (std::size_t t = begin; t < end; ++t) {
    bool first = true;
    if (phase.slots_are_states) {
      auto& seen = seen_in_[static_cast<std::size_t>(phase.pairs[t])];
      first = seen != rollout_;
      seen = rollout_;
    } else {
      for (std::size_t before = begin; before < t && first; ++before)
        first = !(is_first_[before - begin] && same_features(*phase.features, phase.pairs[before], phase.pairs[t]));
    }
    is_first_[t - begin] = first;
  }
}

void Lsmc::add_rollout(const Phase& phase, std::size_t begin, std::size_t end) {
  const std::size_t length = end - begin;
  prefix_[0] = 0.0;
  for (std::size_t k = 0; k < length; ++k) prefix_[k + 1] = prefix_[k] + phase.costs[begin + k];
  const double last = phase.costs[end - 1];
  const auto follow = static_cast<std::size_t>(phase.lengths.follow);
  // The average of the phase is not known yet and is subtracted later; the other averages are subtracted here.
  const double own = options_.average == Average::rollout
                         ? (prefix_[length] - prefix_[length - follow]) / static_cast<double>(follow)
                     : options_.average == Average::last_cost ? last
                                                              : 0.0;
  const double later = options_.average == Average::phase ? 1.0 : 0.0;
  if (options_.visits == Visits::one) {
    const auto costs = static_cast<double>(length);
    add_visit(phase.pairs[begin], prefix_[length] - own * costs, later * costs);
    return;
  }
  if (options_.visits == Visits::first) mark_first_visits(phase, begin, end);
  const auto horizon = static_cast<std::size_t>(options_.horizon);
  const std::size_t usable = horizon == 0 ? length : (length >= horizon ? length - horizon + 1 : 0);
  for (std::size_t k = 0; k < usable; ++k) {
    if (options_.visits == Visits::first && !is_first_[k]) continue;
    const std::size_t stop = horizon == 0 ? length : k + horizon;
    const auto costs = static_cast<double>(stop - k);
    add_visit(phase.pairs[begin + k], (prefix_[stop] - prefix_[k]) - own * costs, later * costs);
  }
}

void Lsmc::estimate(const Phase& phase, std::span<double> weights) {
  const Lengths& lengths = phase.lengths;
  const auto slots = static_cast<std::size_t>(phase.features->slots());
  const auto pairs = slots * static_cast<std::size_t>(phase.features->actions);
  if (visits_.size() < pairs) {
    for (auto* sums : {&visits_, &costs_, &lengths_}) sums->resize(pairs, 0.0);
    seen_in_.resize(pairs, 0);
  }
  const auto longest = static_cast<std::size_t>(lengths.probe + lengths.follow);
  if (prefix_.size() < longest + 1) prefix_.resize(longest + 1);
  if (is_first_.size() < longest) is_first_.resize(longest);
  touched_.clear();
  touched_.reserve(std::min(pairs, phase.pairs.size()));

  for (std::int64_t j = 0; j < lengths.rollouts; ++j) {
    const auto end = static_cast<std::size_t>((j + 1) * lengths.rollout());
    add_rollout(phase, end - longest, end);
  }
  average_ = mean_target_cost(phase);

  double rows = 0.0, total = 0.0;
  for (const auto pair : touched_) {
    const auto p = static_cast<std::size_t>(pair);
    rows += visits_[p];
    total += costs_[p] - average_ * lengths_[p];
  }
  const double centre = options_.centre && rows > 0.0 ? total / rows : 0.0;
  equations_.reset();
  for (const auto pair : touched_) {
    const auto p = static_cast<std::size_t>(pair);
    equations_.add(phase.features->row(pair), visits_[p], costs_[p] - average_ * lengths_[p] - centre * visits_[p]);
    visits_[p] = costs_[p] = lengths_[p] = 0.0;
  }
  equations_.solve(options_.ridge, weights);
}

}  // namespace politex::inline value
