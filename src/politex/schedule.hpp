// How long phases are: fixed lengths, or the paper's powers of T.
#pragma once

#include <cstdint>

#include "politex/value/phase.hpp"

namespace politex {

struct ScheduleOptions {
  /// theory: Algorithm 1, s = T^(1/5) - log T. theory_text: s = T^(1/5), as the text says. politex: sqrt(T) phases
  /// without exploration. doubling: theory, restarted with T = 2^k until the run ends.
  enum class Kind { fixed, theory, theory_text, politex, doubling };
  Kind kind = Kind::fixed;
  std::int64_t steps = 0;  // T
  bool explores = true;    // with explorer and probe
  Lengths fixed;           // fixed: as they are; politex: its `follow`
};

/// The lengths of every phase of a run. A phase may be cut off by the end of the run (or of an epoch of doubling): it
/// is played and counted, not learned from.
class Schedule {
 public:
  /// Throws ConfigError naming the key where a length would be below 1.
  explicit Schedule(const ScheduleOptions& options);

  struct Next {
    Lengths lengths;
    std::int64_t steps = 0;  // of this phase, below lengths.total() when it is cut off
    bool restart = false;    // doubling: forget everything before this phase
  };
  /// The phase that begins after `done` steps of the run.
  Next next(std::int64_t done) const;
  /// The run goes on to `steps`. Lengths that are powers of T keep the first T.
  void extend(std::int64_t steps) noexcept { end_ = steps; }

  /// Number of phases that a theorem's step size counts on: n of the schedule, at `done` steps of the run.
  double phases(std::int64_t done) const;

 private:
  struct Epoch {
    std::int64_t begin = 0, steps = 0;
    Lengths lengths;
  };
  Epoch epoch(std::int64_t done) const;

  ScheduleOptions options_;
  std::int64_t end_;
};

/// gcd(rollout length, size) > 1: on a world whose rows advance by one a step (DeepSea), some rows never start a
/// rollout.
bool some_rows_never_start(const Lengths& lengths, int size);
/// `follow` lengthened to the next value for which every row does.
Lengths made_coprime(Lengths lengths, int size);

}  // namespace politex
