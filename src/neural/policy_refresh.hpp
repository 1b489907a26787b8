// Refreshing the replay's stale policies on threads that have nothing to act on. The learner computes what is still
// stale itself: this changes its time, never the bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/neural/ring_policy.hpp"
#include "politex/replay/replay.hpp"

namespace politex::neural {

class PolicyRefresh {
 public:
  PolicyRefresh(int inputs, int actions)
      : inputs_(static_cast<std::size_t>(inputs)), actions_(static_cast<std::size_t>(actions)) {}

  /// The policy of the current phase. A null `replay` switches refreshing off.
  void begin(const RingPolicy* policy, Replay* replay, std::uint32_t phase) noexcept {
    policy_ = policy;
    replay_ = replay;
    phase_ = phase;
  }

  /// The memory of one thread.
  struct Workspace {
    Floats states, policies;
    std::vector<std::uint32_t> rows;
    Replay::Wanted wanted;
    RingPolicy::Workspace policy;
  };
  /// The rows that the learner reads next; false if there are none.
  bool wanted(Workspace& workspace) const;
  /// A whole block of stale rows; false if there is none.
  bool block(Workspace& workspace) const;

 private:
  /// The caller has taken the blocks of these rows.
  void refresh(std::span<const std::uint32_t> rows, Workspace& workspace) const;

  std::size_t inputs_, actions_;
  const RingPolicy* policy_ = nullptr;
  Replay* replay_ = nullptr;
  std::uint32_t phase_ = 1;
};

}  // namespace politex::neural
