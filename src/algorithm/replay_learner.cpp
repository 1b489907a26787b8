#include "politex/algorithm/replay_learner.hpp"

#include <algorithm>
#include <cmath>

#include "politex/algorithm/exploration.hpp"
#include "politex/algorithm/learned_explorer.hpp"
#include "politex/algorithm/schedule.hpp"
#include "politex/algorithm/tree_learner.hpp"
#include "politex/base/error.hpp"
#include "politex/features/features_entry.hpp"
#include "politex/features/tree_features.hpp"
#include "politex/policy/explorer_entry.hpp"

namespace politex::inline algorithm {

CellReplayLearner::CellReplayLearner(int states, int actions, bool masked)
    : states_(states),
      actions_(actions),
      masked_(masked),
      impossible_(masked ? static_cast<std::size_t>(states) * static_cast<std::size_t>(actions) : 0, 0),
      values_(states, actions, masked),
      weights_(static_cast<std::size_t>(states) * static_cast<std::size_t>(actions), 0.0),
      newest_(weights_.size(), 0.0) {}

void CellReplayLearner::learn(const Phase& phase) {
  if (masked_) add_masks(phase);
  values_.learn(phase);
  set_weights();
}

void CellReplayLearner::add_masks(const Phase& phase) {
  const auto width = static_cast<std::size_t>(actions_);
  for (std::size_t t = 0; t < phase.pairs.size() && !phase.possible.empty(); ++t)
    for (std::size_t a = 0; a < width; ++a)
      impossible_[static_cast<std::size_t>(phase.model_pairs[t] / actions_) * width + a] =
          phase.possible[static_cast<std::size_t>(phase.pairs[t] / actions_) * width + a] == 0 ? 1 : 0;
}

namespace {

constexpr double weight_of_masked = 1e6;  // in ranges of Q

}  // namespace

void CellReplayLearner::set_weights() {
  const auto states = static_cast<std::size_t>(states_), actions = static_cast<std::size_t>(actions_);
  const std::span<const double> q = values_.q(), index = values_.index();
  for (const std::int32_t state : values_.counts().seen()) {
    const auto x = static_cast<std::size_t>(state);
    const auto [low, high] = values_.range_of_index(state);
    for (std::size_t a = 0; a < actions; ++a) {
      newest_[a * states + x] = q[x * actions + a];
      weights_[a * states + x] = high > low ? (index[x * actions + a] - low) / (high - low) : 0.0;
      // Never taken, also by those who are not passed the masks (an exported table).
      if (masked_ && impossible_[x * actions + a] != 0) weights_[a * states + x] = weight_of_masked;
    }
  }
}

void CellReplayLearner::restart(double) { *this = CellReplayLearner(states_, actions_, masked_); }

void CellReplayLearner::save(ByteWriter& to) const {
  values_.save(to);
  if (masked_) to.put(impossible_);
}

void CellReplayLearner::restore(ByteReader& from) {
  values_.restore(from);
  if (masked_) from.get_again(impossible_, "masks");
  set_weights();
}

namespace {

/// The constant as one more feature, which the next state does not have: its weight is the average cost.
FeatureRow with_constant(const FeatureRow& psi, int column, std::vector<std::int32_t>& indices,
                         std::vector<double>& values) {
  indices.clear();
  for (const std::int32_t index : psi.indices) indices.push_back(psi.offset + index);
  values.assign(psi.values.begin(), psi.values.end());
  indices.push_back(column);
  values.push_back(1.0);
  return {.offset = 0, .indices = indices, .values = values};
}

}  // namespace

FeatureReplayLearner::FeatureReplayLearner(const FeatureStructure& structure, int actions, std::int64_t buffer,
                                           double ridge, const Features* finite)
    : structure_(structure),
      actions_(actions),
      buffer_(buffer),
      ridge_(ridge),
      finite_(finite),
      data_(buffer),
      equations_(structure.dimension() + 1),
      weights_(static_cast<std::size_t>(structure.dimension()), 0.0),
      solved_(weights_.size() + 1, 0.0) {}

void FeatureReplayLearner::set_step() {
  const Features& features = data_.features();
  double total = 0.0, count = 0.0;
  for (const auto& entry : data_.entries()) {
    const std::int32_t begin = entry.pair / actions_ * actions_;
    double low = features.dot(begin, weights_), high = low;
    for (int a = 1; a < actions_; ++a) {
      const double q = features.dot(begin + a, weights_);
      low = std::min(low, q);
      high = std::max(high, q);
    }
    total += entry.count * (high - low);
    count += entry.count;
  }
  const double range = count > 0.0 ? total / count : 0.0;
  eta_ = range > 0.0 ? std::sqrt(std::log(static_cast<double>(actions_)) * static_cast<double>(steps_) / 100.0) / range
                     : 0.0;
}

void FeatureReplayLearner::evaluate() {
  const Features& features = data_.features();
  const auto width = static_cast<std::size_t>(actions_);
  probabilities_.resize(static_cast<std::size_t>(features.slots()) * width);
  std::vector<double> q(width);
  for (int slot = 0; slot < features.slots(); ++slot) {
    for (int a = 0; a < actions_; ++a) q[static_cast<std::size_t>(a)] = features.dot(slot * actions_ + a, weights_);
    rule().probabilities(q, std::span(probabilities_).subspan(static_cast<std::size_t>(slot) * width, width));
  }
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  equations_.reset();
  for (const auto& entry : data_.entries()) {
    const FeatureRow psi = with_constant(features.row(entry.pair), structure_.dimension(), indices, values);
    equations_.add_own(psi, entry.count);
    const std::int32_t next = entry.next * actions_;
    for (int a = 0; a < actions_; ++a)
      if (const double p = probabilities_[static_cast<std::size_t>(next) + static_cast<std::size_t>(a)]; p > 0.0)
        equations_.add_next(psi, features.row(next + a), p * entry.count);
    equations_.add_target(psi, entry.cost);
  }
  equations_.solve(TdSolve::ridge, ridge_, solved_);
  std::copy(solved_.begin(), solved_.end() - 1, weights_.begin());
  average_ = solved_.back();
}

void FeatureReplayLearner::learn(const Phase& phase) {
  data_.add(phase);
  steps_ += static_cast<std::int64_t>(phase.costs.size());
  constexpr int improvements = 3;
  for (int i = 0; i < improvements; ++i) {
    evaluate();
    set_step();
  }
}

void FeatureReplayLearner::restart(double) {
  data_ = Transitions(buffer_);
  std::fill(weights_.begin(), weights_.end(), 0.0);
  steps_ = 0;
  eta_ = average_ = 0.0;
}

void FeatureReplayLearner::save(ByteWriter& to) const {
  data_.save(to);
  to.put(weights_);
  to.put(steps_);
  to.put(eta_);
  to.put(average_);
}

void FeatureReplayLearner::restore(ByteReader& from) {
  data_.restore(from, finite_, structure_, actions_);
  from.get_again(weights_, "weights");
  from.get_count(steps_, "steps");
  from.get_finite(eta_, "the step size");
  from.get_finite(average_, "the average cost");
}

std::unique_ptr<Learner> make_replay_learner(const LearnerParts& parts, std::int64_t buffer, double ridge) {
  if (parts.tree) return std::make_unique<TreeReplayLearner>(parts.tree, parts.structure.width, parts.actions);
  if (parts.cells > 0) return std::make_unique<CellReplayLearner>(parts.cells, parts.actions, parts.masked);
  check_dense_memory(parts.structure, true);
  return std::make_unique<FeatureReplayLearner>(parts.structure, parts.actions, buffer, ridge, parts.finite);
}

namespace {

struct AutoOptions {
  double ridge = 0.01;
  std::int64_t buffer = 20'000;
};

Keys auto_keys() {
  return {key<&AutoOptions::ridge>("algorithm.ridge", "ridge of the least squares", number_above_or(0, {})),
          key<&AutoOptions::buffer>("algorithm.buffer", "transitions kept where states are not finite",
                                    whole(1, 1'000'000'000))};
}

}  // namespace

const LearnerEntry& auto_entry() {
  static const LearnerEntry entry{
      .name = "auto",
      .help = "the default: EE-Politex on replay, with a learned explorer and phases that grow; needs no tuning",
      .keys = auto_keys() + exploration_kind_keys(),
      .presets = {{"schedule.kind", "anytime"},
                  {"schedule.exploration", "vanishing"},
                  {"explorer.name", learned_explorer_name},
                  {"features.name", tree_entry().name}},
      .explores = true,
      .make = [](const Values& values, const LearnerParts& parts) -> std::unique_ptr<Learner> {
        const auto options = read<AutoOptions>(auto_keys(), values);
        return make_replay_learner(parts, options.buffer, options.ridge);
      }};
  return entry;
}

}  // namespace politex::inline algorithm
