// The data of one phase, collected by the loop and used by the estimators.
#pragma once

#include <cstdint>
#include <span>

#include "politex/features/features.hpp"

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

/// Who chooses an action: the exploration policy, the probe, or the target policy.
enum class By : std::int32_t { explorer, probe, target };

/// Steps in a row that were chosen in the same way.
struct Segment {
  std::int64_t steps = 0;
  By by = By::target;
  std::int32_t unused = 0;  // so that the bytes of a checkpoint have no gaps
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
  // Where segments vary in length: as they were played, and whether the phase is complete. Empty: as `lengths` say.
  std::span<const Segment> segments = {};
  bool complete = false;
  // 1 for a step that the time limit ended: the state after it is a new start, not a consequence of the action. Empty:
  // there is none.
  std::span<const std::uint8_t> truncated = {};
  // The observations of the slots one after the other, `last_slot` too, where the learner needs them; else empty.
  std::span<const double> observations = {};
  // One flag per slot and action: 1 where the action is possible. Empty: all are.
  std::span<const std::uint8_t> possible = {};

  bool was_truncated(std::size_t step) const noexcept { return !truncated.empty() && truncated[step] != 0; }
  std::int32_t slot_after(std::size_t step) const noexcept {
    return step + 1 < pairs.size() ? pairs[step + 1] / features->actions : last_slot;
  }
};

/// Calls use(begin, target, end) for each rollout of a whole phase: its probe is at `begin` (if target > begin), the
/// target policy's steps are from `target` to `end`. A segment of the explorer begins a new rollout.
template <class Use>
void for_each_rollout(const Phase& phase, Use&& use) {
  if (phase.segments.empty()) {
    const Lengths& lengths = phase.lengths;
    for (std::int64_t j = 0; j < lengths.rollouts; ++j) {
      const auto end = static_cast<std::size_t>((j + 1) * lengths.rollout());
      const std::size_t target = end - static_cast<std::size_t>(lengths.follow);
      use(target - static_cast<std::size_t>(lengths.probe), target, end);
    }
    return;
  }
  std::size_t at = 0, begin = 0;
  for (const Segment& segment : phase.segments) {
    const std::size_t end = at + static_cast<std::size_t>(segment.steps);
    if (segment.by != By::target)
      begin = segment.by == By::probe ? at : end;
    else {
      use(begin, at, end);
      begin = end;
    }
    at = end;
  }
}

/// The mean cost of the phase's target steps, without probe and explorer.
double mean_target_cost(const Phase& phase) noexcept;

}  // namespace politex::inline value
