// How long phases are: fixed lengths, or the paper's powers of T.
#pragma once

#include <cstdint>

#include "politex/value/phase.hpp"

#include "politex/base/length.hpp"
#include "politex/settings/key.hpp"

namespace politex::inline algorithm {

struct ScheduleOptions {
  /// theory: Algorithm 1, s = T^(1/5) - log T. theory_text: s = T^(1/5), as the text says. politex: sqrt(T) phases
  /// without exploration. doubling: theory, restarted with T = 2^k until the run ends. anytime: a phase of at least 100
  /// steps, and a twentieth of the steps so far; T has no effect.
  enum class Kind { fixed, theory, theory_text, politex, doubling, anytime };
  Kind kind = Kind::fixed;
  std::int64_t steps = 0;  // T
  bool explores = true;    // with explorer and probe
  Lengths fixed;           // fixed: as they are; politex: its `follow`
};

/// The lengths of every phase of a run. The end of the run (or of an epoch of doubling) may cut a phase: it is played
/// and counted, not learned from.
class Schedule {
 public:
  /// Throws ConfigError naming the key if a length would be below 1.
  explicit Schedule(const ScheduleOptions& options);

  struct Next {
    Lengths lengths;
    std::int64_t steps = 0;  // of this phase, below lengths.total() if it is cut
    bool restart = false;    // doubling: forget everything before this phase
  };
  /// The phase that begins after `done` steps of the run.
  Next next(std::int64_t done) const;
  /// The run has `steps` steps now. Lengths that are powers of T keep the first T.
  void extend(std::int64_t steps) noexcept { end_ = steps; }

  /// The n of the schedule at `done` steps of the run, for the theorem's step size.
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

/// gcd(rollout length, size) > 1: if the row advances by one per step (DeepSea), some rows never start a rollout.
bool some_rows_never_start(const Lengths& lengths, int size);
/// `follow` lengthened to the next value for which every row does.
Lengths made_coprime(Lengths lengths, int size);

/// The lengths as the keys of [schedule] give them, for linear learners.
struct ScheduleLengths {
  ScheduleOptions::Kind kind = ScheduleOptions::Kind::fixed;
  std::int64_t rollouts = 5;
  Length explore = {.constant = 0, .numerator = 1, .denominator = 2};
  Length follow = {.constant = 0, .numerator = 1, .denominator = 1};
  bool coprime = false;
};
/// schedule.kind, which every learner has.
Keys schedule_kind_keys();
/// rollouts and follow.
Keys schedule_keys();
/// explore and coprime: for learners with exploration segments.
Keys exploration_keys();

}  // namespace politex::inline algorithm
