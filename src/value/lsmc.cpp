#include "politex/value/lsmc.hpp"

#include <algorithm>
#include <numeric>

namespace politex::inline value {
namespace {

constexpr double state_ridge = 0.01;  // of the baseline V

double row_value(const FeatureRow& row, std::span<const double> weights) noexcept {
  double total = 0.0;
  for (std::size_t k = 0; k < row.indices.size(); ++k)
    total += row.values[k] * weights[static_cast<std::size_t>(row.offset) + static_cast<std::size_t>(row.indices[k])];
  return total;
}

double nonzero_entries(const FeatureRow& row) noexcept {
  return static_cast<double>(std::ranges::count_if(row.values, [](double value) { return value != 0.0; }));
}

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

void Lsmc::add_rollout(const Phase& phase, std::size_t begin, std::size_t target, std::size_t end) {
  const std::size_t length = end - begin;
  if (prefix_.size() < length + 1) prefix_.resize(length + 1);
  if (is_first_.size() < length) is_first_.resize(length);
  prefix_[0] = 0.0;
  for (std::size_t k = 0; k < length; ++k) prefix_[k + 1] = prefix_[k] + phase.costs[begin + k];
  const double last = phase.costs[end - 1];
  const std::size_t follow = end - target;
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
  const auto slots = static_cast<std::size_t>(phase.features->slots());
  const auto pairs = slots * static_cast<std::size_t>(phase.features->actions);
  if (visits_.size() < pairs) {
    for (auto* sums : {&visits_, &costs_, &lengths_}) sums->resize(pairs, 0.0);
    seen_in_.resize(pairs, 0);
  }
  solved_ = {};
  touched_.clear();
  touched_.reserve(std::min(pairs, phase.pairs.size()));

  for_each_rollout(
      phase, [&](std::size_t begin, std::size_t target, std::size_t end) { add_rollout(phase, begin, target, end); });
  average_ = mean_target_cost(phase);

  const Features& features = *phase.features;
  double rows = 0.0, total = 0.0, counts = 0.0;
  for (const auto pair : touched_) {
    const auto p = static_cast<std::size_t>(pair);
    rows += visits_[p];
    total += returns(p);
    if (options_.ridge_by_count) counts += visits_[p] * nonzero_entries(features.row(pair));
  }
  const double mean = options_.baseline != Baseline::none && rows > 0.0 ? total / rows : 0.0;
  const bool by_state = options_.baseline == Baseline::state;
  if (by_state) fit_states(features, mean);
  equations_.reset();
  for (const auto pair : touched_) {
    const auto p = static_cast<std::size_t>(pair);
    const double baseline = by_state ? mean + row_value(state_row(features, pair), state_weights_) : mean;
    equations_.add(features.row(pair), visits_[p], returns(p) - baseline * visits_[p]);
    visits_[p] = costs_[p] = lengths_[p] = 0.0;
  }
  if (options_.ridge_by_count && rows == 0.0) {
    std::fill(weights.begin(), weights.end(), 0.0);
    return;
  }
  equations_.solve(options_.ridge_by_count ? counts / static_cast<double>(weights.size()) : options_.ridge, weights);
  solved_ += equations_.solved();
}

void Lsmc::fit_states(const Features& features, double mean) {
  if (!state_equations_) {
    const int columns = features.rows.columns;
    // An average over the rows of the actions may have several of the exclusive columns.
    state_equations_.emplace(
        FeatureStructure{.blocks = 1, .width = columns, .exclusive = features.replicated ? features.exclusive : 0},
        options_.solver);
    state_weights_.resize(static_cast<std::size_t>(columns));
    if (!features.replicated) {
      state_values_.resize(state_weights_.size());
      all_columns_.resize(state_weights_.size());
      std::iota(all_columns_.begin(), all_columns_.end(), 0);
    }
  }
  state_equations_->reset();
  for (const auto pair : touched_) {
    const auto p = static_cast<std::size_t>(pair);
    state_equations_->add(state_row(features, pair), visits_[p], returns(p) - mean * visits_[p]);
  }
  // Not from the last ones, which a checkpoint does not have.
  std::fill(state_weights_.begin(), state_weights_.end(), 0.0);
  state_equations_->solve(state_ridge, state_weights_);
  solved_ += state_equations_->solved();
}

/// phi(x) of the pair's state: the row that its actions share, or else the mean of their rows.
const FeatureRow& Lsmc::state_row(const Features& features, std::int32_t pair) {
  state_row_ = features.row(pair);
  state_row_.offset = 0;
  if (features.replicated) return state_row_;
  std::fill(state_values_.begin(), state_values_.end(), 0.0);
  const std::int32_t first = pair - pair % features.actions;
  for (std::int32_t other = first; other < first + features.actions; ++other) {
    const FeatureRow psi = features.row(other);
    for (std::size_t k = 0; k < psi.indices.size(); ++k)
      state_values_[static_cast<std::size_t>(psi.indices[k])] += psi.values[k] / features.actions;
  }
  state_row_.indices = all_columns_;
  state_row_.values = state_values_;
  return state_row_;
}

}  // namespace politex::inline value
