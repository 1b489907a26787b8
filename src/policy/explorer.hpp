// Exploration policies: functions of the observation, never of a cost. One interface for all learners and all kinds of
// environments.
#pragma once

#include <cstdint>
#include <span>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/environment.hpp"
#include "politex/policy/policy_table.hpp"

namespace politex::inline policy {

/// What an exploration policy remembers of one logical environment, across its segments; part of the checkpoint.
struct ExplorerMemory {
  std::int64_t goal = -1;   // where it is going; -1: not decided
  std::int64_t left = 0;    // steps until it decides again
  std::int64_t action = 0;  // taken last
};
/// One that is saved; throws DamagedState. Whether the goal exists is known to the explorer alone.
void get_memory(ByteReader& from, ExplorerMemory& memory, int actions);

class Explorer {
 public:
  Explorer() = default;
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;
  virtual ~Explorer() = default;

  /// `observation` is what the environment shows (for listed states: the index). Any thread may call it; `memory` and
  /// `rng` belong to the logical environment.
  virtual Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const = 0;
  /// The same for an observation of floats; by default converted.
  virtual Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const;

  /// Where the explorer is a fixed policy over listed states: writes its probabilities into a table of these states and
  /// actions, so that the fast path can sample it. False: it is not a fixed policy.
  virtual bool compile(PolicyTable& /*into*/) const { return false; }
  /// Whether its action depends on more than the observation that it is passed.
  virtual bool sees_more() const { return false; }
};

}  // namespace politex::inline policy
