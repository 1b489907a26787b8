// The loop of Algorithm 1 over the phases of a run, with what a run needs besides: progress, checkpoints, extension.
#pragma once

#include <cstdint>
#include <memory>

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/cut_phase.hpp"
#include "politex/algorithm/learner.hpp"
#include "politex/algorithm/progress.hpp"
#include "politex/algorithm/schedule.hpp"
#include "politex/base/bytes.hpp"

namespace politex::inline algorithm {

class PhaseLoop {
 public:
  PhaseLoop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
            std::int64_t steps);

  /// Keeps what extend() needs. Call it before the first step.
  void make_extendable();
  /// Sets the number of steps of the run. A cut phase is continued where it stopped, so that the run has the same bits
  /// as one of this length from the start (schedules that depend on T keep the first T).
  void extend(std::int64_t steps);
  /// Whether the newest phase was cut and will be continued.
  bool open() const noexcept { return cut_.exists(); }
  /// Whether the end of the run will cut the next phase.
  bool will_be_open() const;

  bool done() const noexcept { return progress_.steps() == steps_; }
  std::int64_t steps_done() const noexcept { return progress_.steps(); }
  std::int64_t phases() const noexcept { return progress_.phases(); }
  /// The index of the phase that advance() will play: the newest one if it is continued.
  std::int64_t next_phase() const noexcept { return open() ? cut_.begin().phases : phases(); }

  /// The steps before that phase.
  std::int64_t phase_begin() const noexcept { return open() ? cut_.begin().steps : steps_done(); }

  /// Freezes the policy of the next phase ahead of advance(), for observers.
  void prepare();
  /// Plays one phase and learns from it. A phase that is cut is played and counted, not learned from.
  Phase advance();

  const Collector& collector() const noexcept { return *collector_; }
  const Learner& learner() const noexcept { return *learner_; }
  const CostLedger& costs() const noexcept { return progress_.costs(); }
  const Signature& signature() const noexcept { return progress_.signature(); }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  /// The doubling schedule: the learner restarts, once, before the first phase of an epoch.
  void restart_if_due();

  std::unique_ptr<Collector> collector_;
  std::unique_ptr<Learner> learner_;
  Schedule schedule_;
  std::int64_t steps_;  // of the run
  Progress progress_;
  CutPhase cut_;
  bool extendable_ = false;
  bool restarted_ = false;  // restart_if_due() was called for the next phase
};

}  // namespace politex::inline algorithm
