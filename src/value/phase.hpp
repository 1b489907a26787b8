// The data of one phase: what the loop collected and the estimators read.
#pragma once

#include <cstdint>
#include <span>

#include "politex/value/features.hpp"

namespace politex {

/// How long the parts of a phase are: m rollouts, each of s' exploration steps, `probe` (1 or 0) uniformly random
/// steps, and s steps of the target policy.
struct Lengths {
  std::int64_t rollouts = 0;
  std::int64_t explore = 0;
  std::int64_t probe = 0;
  std::int64_t follow = 0;

  std::int64_t rollout() const noexcept { return explore + probe + follow; }
  std::int64_t total() const noexcept { return rollouts * rollout(); }
  friend bool operator==(const Lengths&, const Lengths&) = default;
};

/// A whole phase, step by step. Pairs are slot * actions + action; the slot after step t is the slot of step t + 1, and
/// `last_slot` after the last one.
struct Phase {
  Lengths lengths;
  std::span<const std::int32_t> pairs;
  std::span<const double> costs;
  std::int32_t last_slot = 0;
  const Features* features = nullptr;
  std::span<const double> policy;  // the target policy's probabilities, one row per slot
  bool slots_are_states = true;    // else every step has a slot of its own, and equal states show in equal features
  // Where the world is finite, its own pairs and the state after the last step, whatever the slots are.
  std::span<const std::int32_t> model_pairs = {};
  std::int32_t last_state = 0;

  std::int32_t slot_after(std::size_t step) const noexcept {
    return step + 1 < pairs.size() ? pairs[step + 1] / features->actions : last_slot;
  }
};

/// The mean cost of the phase's target steps (probe and explorer left out).
double mean_target_cost(const Phase& phase) noexcept;

}  // namespace politex
