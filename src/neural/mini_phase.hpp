// Mini-phases of EE-Politex, for one logical environment: the explorer acts for s' steps, then the policy for a number
// of steps that scales with the square root of the phase's length, in turn.
#pragma once

#include <cstdint>
#include <span>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/neural/blocks.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::neural {

/// The lengths of the two segments of a mini-phase.
struct MiniPhaseLengths {
  std::int64_t explore = 1000, follow = 1000;
  bool whole_episodes = false;  // a segment also waits for the end of its episode
};

class MiniPhase {
 public:
  /// The first action begins a segment of the other kind than `exploring`.
  MiniPhase(std::uint64_t seed, int environment, bool exploring);

  /// Whether the explorer chooses the next action; a new segment may begin. Without an explorer the policy always acts.
  bool next(bool explores, const MiniPhaseLengths& lengths);
  /// The next action, by the explorer, or by the policy's probabilities.
  Action explore(const Explorer& explorer, std::span<const float> observation);
  Action follow(std::span<const float> policy);
  /// The result of that action.
  void moved(const StepResult& step) noexcept;
  bool exploring() const noexcept { return exploring_; }
  /// The environment is at a new start.
  void restarted() noexcept { ended_ = true; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from, int actions);

 private:
  Rng choose_, explore_;
  ExplorerMemory memory_ = {};
  bool exploring_ = false;
  bool ended_ = true;      // the environment is at a start
  std::int64_t left_ = 0;  // steps of the current segment to take; 0 before the first one
};

}  // namespace politex::neural
