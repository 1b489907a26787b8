#include "politex/baselines/stepped_block.hpp"

#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline baselines {

SteppedBlock::SteppedBlock(StepParts parts)
    : block_(std::move(parts.block)),
      map_(std::move(parts.map)),
      restart_cost_(parts.restart_cost),
      actions_(parts.actions),
      listed_(parts.listed),
      cells_(!parts.listed && parts.states > 0),
      states_(parts.listed ? block_->space().states : parts.states),
      observation_(block_->space().numbers()) {
  for (std::size_t k = 0; k < features_.size(); ++k) {
    features_[k].actions = actions_;
    features_[k].replicated = map_->replicated();
    features_[k].exclusive = map_->exclusive();
    features_[k].rows.columns = map_->columns();
  }
  look();
}

void SteppedBlock::look() {
  block_->observe(0, observation_);
  Features& features = features_[now_];
  features.rows.first.resize(1);
  features.rows.index.clear();
  features.rows.value.clear();
  map_->append(observation_, features.rows);
  const int state = listed_ ? static_cast<int>(observation_[0]) : cells_ ? features.rows.index.back() : 0;
  places_[now_] = {.state = state, .features = &features, .slot = 0};
}

void SteppedBlock::describe(std::span<const double> observation, SparseRows& into) const {
  if (listed_ && !(observation[0] >= 0 && observation[0] < states_))
    throw Error("the observation is not the index of a state");
  map_->append(observation, into);
}

SteppedBlock::Result SteppedBlock::step(Action action) {
  StepResult result;
  block_->step(0, {&action, 1}, {&result, 1});
  now_ = 1 - now_;
  look();
  if (result.skipped) return {.cost = 0.0, .connected = false};
  const double cost = restart_cost_.with_end(result.cost, result.terminated);
  pairs_.push_back(static_cast<std::int32_t>(pairs_.size()) * actions_ + action);
  if (listed_ || cells_) model_pairs_.push_back(before().state * actions_ + action);
  costs_.push_back(cost);
  return {.cost = cost, .connected = result.terminated || !result.truncated};
}

void SteppedBlock::begin() {
  pairs_.clear();
  model_pairs_.clear();
  costs_.clear();
}

Phase SteppedBlock::phase(const Lengths& lengths) const {
  // The features of past steps are not kept, so nothing can be estimated from such a phase: it has no features.
  Phase phase;
  phase.lengths = lengths;
  phase.pairs = pairs_;
  phase.costs = costs_;
  phase.slots_are_states = false;
  phase.model_pairs = model_pairs_;
  phase.last_state = here().state;
  return phase;
}

void SteppedBlock::save(ByteWriter& to) const {
  restart_cost_.save(to);
  to.put(block_->can_save());
  if (block_->can_save()) block_->save(0, to);
}

bool SteppedBlock::restore(ByteReader& from) {
  restart_cost_.restore(from);
  const bool saved = from.get<bool>();
  if (saved) block_->restore(0, from);
  look();
  return saved;
}

void SteppedBlock::save_phase(ByteWriter& to) const {
  to.put(pairs_);
  to.put(model_pairs_);
  to.put(costs_);
}

std::int64_t SteppedBlock::restore_phase(ByteReader& from) {
  from.get(pairs_);
  for (std::size_t t = 0; t < pairs_.size(); ++t)
    check_saved(pairs_[t] >= 0 && pairs_[t] / actions_ == static_cast<std::int32_t>(t), "pairs of the phase");
  from.get_sized(model_pairs_, listed_ || cells_ ? pairs_.size() : 0, "pairs of the phase");
  check_saved(all_within(model_pairs_, 0, states_ * actions_), "pairs of the phase");
  from.get_sized(costs_, pairs_.size(), "costs of the phase");
  return static_cast<std::int64_t>(costs_.size());
}

}  // namespace politex::inline baselines
