// The data of one phase, collected by the loop and used by the estimators.
#pragma once

#include <cstdint>
#include <span>

#include "politex/value/features.hpp"

namespace politex::inline value {

/// The lengths of a phase: m rollouts, each with s' exploration steps, `probe` (1 or 0) uniformly random steps, and s
/// steps of the target policy.
struct Lengths {
  std::int64_t rollouts = 0;
  std::int64_t explore = 0;
  std::int64_t probe = 0;
  std::int64_t follow = 0;

  std::int64_t rollout() const noexcept { return explore + probe + follow; }
  std::int64_t total() const noexcept { return rollouts * rollout(); }
  friend bool operator==(const Lengths&, const Lengths&) = default;
};

/// A complete phase, step by step. Pairs are slot * actions + action; the slot after step t is the slot of step t + 1,
/// or `last_slot` after the last step.
struct Phase {
  Lengths lengths;
  std::span<const std::int32_t> pairs;
  std::span<const double> costs;
  std::int32_t last_slot = 0;
  const Features* features = nullptr;
  std::span<const double> policy;  // probabilities of the target policy, one row per slot
  bool slots_are_states = true;    // false: every step has a separate slot, and equal states have equal features
  // If the environment is finite, pairs of the model and the state after the last step, for any kind of slots.
  std::span<const std::int32_t> model_pairs = {};
  std::int32_t last_state = 0;

  std::int32_t slot_after(std::size_t step) const noexcept {
    return step + 1 < pairs.size() ? pairs[step + 1] / features->actions : last_slot;
  }
};

/// The mean cost of the phase's target steps, without probe and explorer.
double mean_target_cost(const Phase& phase) noexcept;

}  // namespace politex::inline value
