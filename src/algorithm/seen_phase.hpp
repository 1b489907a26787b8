// The data of a phase whose slots are its time steps: features and the target policy's probabilities of every
// state met.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/base/bytes.hpp"
#include "politex/env/environment.hpp"
#include "politex/policy/rule.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline algorithm {

class SeenPhase {
 public:
  SeenPhase(int actions, int columns, int exclusive, bool replicated);

  FeatureStructure structure() const noexcept { return features_.structure(); }
  int actions() const noexcept { return features_.actions; }
  void follow(const Rule& rule, std::span<const double> weights);

  /// From now on phases have the observations, of `numbers` numbers each.
  void keep_observations(std::size_t numbers) noexcept { numbers_ = numbers; }
  /// From now on see() gets which actions are possible, and phases have these flags.
  void keep_masks() noexcept { masks_ = true; }
  /// Whether all weights are 0: the target policy is uniform everywhere.
  bool undecided() const noexcept { return undecided_; }
  /// Most of the time the last action of this phase, else a uniformly random one.
  Action held(Rng& rng);

  void begin();
  std::size_t steps() const noexcept { return pairs_.size(); }
  /// Whether the current state has its slot already: the last part of the phase ended here.
  bool seen() const noexcept { return policy_.size() > pairs_.size() * q_.size(); }
  /// Append the features of the current state here, then call see().
  SparseRows& rows() noexcept { return features_.rows; }
  const SparseRows& rows() const noexcept { return features_.rows; }
  const Features& features() const noexcept { return features_; }
  /// `possible` (with masks) and `logits` (may be empty) have one entry per action.
  void see(std::span<const double> observation, std::span<const std::uint8_t> possible = {},
           std::span<const double> logits = {});
  /// Of the current state; empty without masks.
  std::span<const std::uint8_t> possible() const noexcept {
    return masks_ ? std::span(possible_).last(q_.size()) : std::span<const std::uint8_t>{};
  }
  /// Removes the current state's slot: the environment moved without an action.
  void forget();
  /// The target policy's action in the current state, and a uniformly random one.
  Action target(Rng& rng) {
    accumulate(std::span<const double>(policy_).last(q_.size()), cumulative_);
    return pick_action(cumulative_, uniform_bits(rng));
  }
  Action uniform(Rng& rng);
  void took(Action action, double cost) {
    if (!truncated_.empty()) truncated_.push_back(0);
    pairs_.push_back(static_cast<std::int32_t>(pairs_.size()) * actions() + action);
    costs_.push_back(cost);
  }
  /// The time limit ended the last step.
  void truncate() {
    truncated_.resize(pairs_.size(), 0);
    truncated_.back() = 1;
  }
  void took(Action action, double cost, std::int32_t model_pair) {
    took(action, cost);
    model_pairs_.push_back(model_pair);
  }

  /// The last `count` steps, or as many as there are. The current state must have its slot; `state` is its number.
  Trace trace(std::int64_t count, std::int32_t state) const;
  /// The current state must have its slot.
  Phase phase(const Lengths& lengths, std::int32_t last_state = 0) const;

  void save(ByteWriter& to) const;
  /// `listed` is the number of states (or cells) whose pairs the phase has; 0: none.
  void restore(ByteReader& from, int listed);

 private:
  Rule rule_;
  std::vector<double> weights_, norms_;
  std::vector<double> q_, p_, cumulative_;
  Features features_;
  std::vector<double> policy_;
  std::vector<std::int32_t> pairs_, model_pairs_;
  std::vector<double> costs_;
  std::vector<double> observations_;  // of the slots, if they are kept
  std::size_t numbers_ = 0;
  bool masks_ = false;
  std::vector<std::uint8_t> possible_;  // of the slots, if there are masks
  bool undecided_ = true;
  std::vector<std::uint8_t> truncated_;  // empty until the first
};

}  // namespace politex::inline algorithm
