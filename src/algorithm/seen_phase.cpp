#include "politex/algorithm/seen_phase.hpp"

#include <algorithm>

#include "politex/base/saved.hpp"

namespace politex::inline algorithm {

SeenPhase::SeenPhase(int actions, int columns, int exclusive, bool replicated)
    : q_(static_cast<std::size_t>(actions)), p_(q_.size()), cumulative_(q_.size() - 1) {
  features_.actions = actions;
  features_.replicated = replicated;
  features_.exclusive = exclusive;
  features_.rows.columns = columns;
  weights_.assign(static_cast<std::size_t>(features_.dimension()), 0.0);
}

void SeenPhase::follow(const Rule& rule, std::span<const double> weights) {
  norms_.assign(rule.norms.begin(), rule.norms.end());
  rule_ = rule;
  rule_.norms = {};
  weights_.assign(weights.begin(), weights.end());
  undecided_ = std::ranges::all_of(weights_, [](double w) { return w == 0.0; });
}

void SeenPhase::begin() {
  features_.rows.first.resize(1);
  features_.rows.index.clear();
  features_.rows.value.clear();
  policy_.clear();
  pairs_.clear();
  model_pairs_.clear();
  costs_.clear();
  truncated_.clear();
  observations_.clear();
  possible_.clear();
}

void SeenPhase::see(std::span<const double> observation, std::span<const std::uint8_t> possible,
                    std::span<const double> logits) {
  if (masks_) possible_.insert(possible_.end(), possible.begin(), possible.end());
  if (numbers_ > 0) observations_.insert(observations_.end(), observation.begin(), observation.end());
  // As Features::dot, with the row looked up once where all actions share it.
  const SparseRows& rows = features_.rows;
  const auto slot = static_cast<int>(pairs_.size());
  const auto columns = features_.replicated ? static_cast<std::size_t>(rows.columns) : 0;
  const int first = features_.replicated ? slot : slot * actions();
  for (std::size_t a = 0; a < q_.size(); ++a) {
    const int row = features_.replicated ? first : first + static_cast<int>(a);
    const auto indices = rows.indices(row);
    const auto values = rows.values(row);
    const double* block = weights_.data() + a * columns;
    double total = 0.0;
    for (std::size_t k = 0; k < indices.size(); ++k) total += values[k] * block[indices[k]];
    q_[a] = total;
  }
  if (!norms_.empty()) divide_by_norm(features_.norm(slot, norms_), q_);
  if (masks_ || !logits.empty())
    rule_.probabilities(q_, p_, possible, logits);
  else
    rule_.probabilities(q_, p_);
  for (const double p : p_) policy_.push_back(p);
}

void SeenPhase::forget() {
  SparseRows& rows = features_.rows;
  rows.first.resize(rows.first.size() - (features_.replicated ? 1 : q_.size()));
  rows.index.resize(static_cast<std::size_t>(rows.first.back()));
  rows.value.resize(rows.index.size());
  policy_.resize(policy_.size() - q_.size());
  observations_.resize(observations_.size() - numbers_);
  if (masks_) possible_.resize(possible_.size() - q_.size());
}

Action SeenPhase::held(Rng& rng) {
  constexpr double hold = 0.95;
  if (!pairs_.empty() && rng.uniform() < hold) {
    const Action last = pairs_.back() % actions();
    if (!masks_ || possible()[static_cast<std::size_t>(last)] != 0) return last;
  }
  return uniform(rng);
}

Action SeenPhase::uniform(Rng& rng) {
  // The same arithmetic as PolicyTable's uniform policy, so that both paths take the same action.
  double total = 0.0;
  if (masks_) {
    const std::span<const std::uint8_t> flags = possible();
    const auto count = static_cast<double>(std::ranges::count(flags, std::uint8_t{1}));
    for (std::size_t a = 0; a < cumulative_.size(); ++a) cumulative_[a] = total += flags[a] != 0 ? 1.0 / count : 0.0;
    const int chosen = pick_action(cumulative_, uniform_bits(rng));
    // The sum may be rounded below 1: then the last possible action is meant.
    const auto last = std::ranges::find(flags.rbegin(), flags.rend(), std::uint8_t{1});
    return std::min(chosen, static_cast<int>(flags.rend() - last) - 1);
  }
  for (double& each : cumulative_) each = total += 1.0 / actions();
  return pick_action(cumulative_, uniform_bits(rng));
}

Trace SeenPhase::trace(std::int64_t count, std::int32_t state) const {
  const std::size_t steps = std::min(pairs_.size(), static_cast<std::size_t>(count));
  const std::size_t listed = std::min(model_pairs_.size(), steps);
  return {.pairs = std::span(pairs_).last(steps),
          .last_slot = static_cast<std::int32_t>(pairs_.size()),
          .features = &features_,
          .listed = std::span(model_pairs_).last(listed),
          .last_state = state,
          .truncated = truncated_.empty() ? std::span<const std::uint8_t>{} : std::span(truncated_).last(steps),
          .possible = possible_};
}

Phase SeenPhase::phase(const Lengths& lengths, std::int32_t last_state) const {
  return {.lengths = lengths,
          .pairs = pairs_,
          .costs = costs_,
          .last_slot = static_cast<std::int32_t>(pairs_.size()),
          .features = &features_,
          .policy = policy_,
          .slots_are_states = false,
          .model_pairs = model_pairs_,
          .last_state = last_state,
          .segments = {},
          .complete = false,
          .truncated = truncated_,
          .observations = observations_,
          .possible = possible_};
}

void SeenPhase::save(ByteWriter& to) const {
  to.put(features_.rows.first);
  to.put(features_.rows.index);
  to.put(features_.rows.value);
  to.put(policy_);
  to.put(pairs_);
  to.put(model_pairs_);
  to.put(costs_);
  to.put(truncated_);
  if (numbers_ > 0) to.put(observations_);
  if (masks_) to.put(possible_);
}

void SeenPhase::restore(ByteReader& from, int listed) {
  SparseRows& rows = features_.rows;
  from.get(rows.first);
  from.get(rows.index);
  from.get(rows.value);
  from.get(policy_);
  from.get(pairs_);
  const std::size_t steps = pairs_.size(), slots = steps + 1;
  from.get_sized(model_pairs_, listed > 0 ? steps : 0, "pairs of the phase");
  from.get_sized(costs_, steps, "costs of the phase");
  from.get(truncated_);
  if (numbers_ > 0) from.get_sized(observations_, slots * numbers_, "observations of the phase");
  if (masks_) from.get_sized(possible_, slots * q_.size(), "masks of the phase");
  check_saved(are_rows(rows, features_.replicated ? slots : slots * q_.size(), features_.exclusive),
              "features of the phase");
  check_saved(policy_.size() == slots * q_.size() && are_distributions(policy_, q_.size()), "policies of the phase");
  for (std::size_t t = 0; t < steps; ++t)
    check_saved(pairs_[t] / actions() == static_cast<std::int32_t>(t) && pairs_[t] >= 0, "pairs of the phase");
  check_saved(all_within(model_pairs_, 0, listed * actions()), "pairs of the phase");
  check_saved(truncated_.empty() || truncated_.size() == steps, "truncations of the phase");
}

}  // namespace politex::inline algorithm
