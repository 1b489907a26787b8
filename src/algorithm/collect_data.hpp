// CollectData of Algorithm 1: the order in which the explorer, the random probe and the target policy act in a phase.
#pragma once

#include <algorithm>
#include <cstdint>

#include "politex/value/phase.hpp"

namespace politex::inline algorithm {

/// The part of a phase to play: its steps from `played` to `steps`. Below lengths.total() the phase is cut.
struct Part {
  Lengths lengths;
  std::int64_t steps = 0;
  std::int64_t played = 0;  // steps of this phase that were played before
};

/// Whether all steps of the phase were played. Learners learn from whole phases only.
inline bool is_whole(const Phase& phase) noexcept {
  if (!phase.segments.empty()) return phase.complete;
  return static_cast<std::int64_t>(phase.costs.size()) == phase.lengths.total();
}

/// The mean cost of all steps of a phase.
inline double mean_cost(const Phase& phase) noexcept {
  double total = 0.0;
  for (const double cost : phase.costs) total += cost;
  return total / static_cast<double>(phase.costs.size());
}

/// Calls execute(count, by) for each segment of the part, in order:
///   for j := 1, ..., m:  the explorer for s' steps, until x_j
///                        one uniformly random action a_j, until x'_j
///                        the target policy for s steps: the trajectory R_j
template <class Execute>
void for_each_segment(const Part& part, Execute&& execute) {
  const Lengths& lengths = part.lengths;
  const std::int64_t whole = lengths.rollout() > 0 ? part.played / lengths.rollout() : 0;
  std::int64_t skip = part.played - whole * lengths.rollout();
  std::int64_t left = part.steps - part.played;
  const auto segment = [&](std::int64_t length, By by) {
    const std::int64_t skipped = std::min(length, skip);
    const std::int64_t count = std::min(length - skipped, left);
    if (count > 0) execute(count, by);
    skip -= skipped;
    left -= count;
  };
  for (std::int64_t j = whole; j < lengths.rollouts && left > 0; ++j) {
    segment(lengths.explore, By::explorer);
    segment(lengths.probe, By::probe);
    segment(lengths.follow, By::target);
  }
}

/// The same for a phase that was played.
template <class Execute>
void for_each_segment(const Phase& phase, Execute&& execute) {
  if (!phase.segments.empty()) {
    for (const Segment& segment : phase.segments) execute(segment.steps, segment.by);
    return;
  }
  for_each_segment(Part{.lengths = phase.lengths, .steps = static_cast<std::int64_t>(phase.costs.size())}, execute);
}

}  // namespace politex::inline algorithm
