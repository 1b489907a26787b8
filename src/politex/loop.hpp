// Algorithm 1: phases of collecting with a frozen policy, estimating, and adding to the sum of Qs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/politex/collector.hpp"
#include "politex/politex/schedule.hpp"

namespace politex {

/// Sums of costs over the run, tagged by who acted, and over the last tenth of the steps.
class CostLedger {
 public:
  explicit CostLedger(std::int64_t total_steps)
      : last_tenth_begin_(total_steps - (total_steps + 9) / 10), last_tenth_steps_((total_steps + 9) / 10) {}

  void add(const Phase& phase);

  /// From now on the last tenth is that of the steps so far, whatever they come to: for runs whose end is not known.
  void keep_last_tenth() noexcept { keeps_ = true; }

  struct Part {
    std::int64_t steps = 0;
    double cost = 0.0;
  };
  const Part& part(By by) const noexcept { return parts_[static_cast<std::size_t>(by)]; }
  Part all() const noexcept;
  Part last_tenth() const;
  /// Of the phase added last.
  double phase_average() const noexcept { return phase_average_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

  /// The sums at some moment.
  struct Mark {
    std::array<Part, 3> parts{};
    double last_tenth_cost = 0.0;
    double phase_average = 0.0;
  };
  Mark mark() const noexcept { return {parts_, last_tenth_cost_, phase_average_}; }
  /// What was added since the mark is taken back.
  void rewind(const Mark& mark);

 private:
  void keep(const Phase& phase, std::int64_t before);

  std::array<Part, 3> parts_{};
  std::int64_t last_tenth_begin_, last_tenth_steps_;
  double last_tenth_cost_ = 0.0;
  double phase_average_ = 0.0;
  bool keeps_ = false;
  std::int64_t kept_begin_ = 0;  // the step of the first cost in kept_
  std::vector<double> kept_;
};

class Loop {
 public:
  Loop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
       std::int64_t steps);

  /// Keeps what extend() needs; told before the first step.
  void make_extendable();
  /// Lets the run go on to `steps` in all. A phase that the end cut off is carried on where it stopped, so that the run
  /// comes to the same bits as if it had had this length from the beginning (schedules that count on T keep the first).
  void extend(std::int64_t steps);
  /// Whether the newest phase was cut off and will be carried on.
  bool open() const noexcept { return open_.has_value(); }
  /// Whether the next phase will be cut off by the end of the run.
  bool will_be_open() const;

  bool done() const noexcept { return steps_done_ == steps_; }
  std::int64_t steps_done() const noexcept { return steps_done_; }
  std::int64_t phases() const noexcept { return phases_; }
  /// The index of the phase that advance() will play: the newest one where it is carried on.
  std::int64_t next_phase() const noexcept { return open_ ? open_->phases : phases_; }

  /// Freezes the policy of the next phase: rule() of learner().weights(). advance() does it where it was not done.
  void prepare();
  /// Plays one phase and learns from it, unless the end of the run cut it off.
  Phase advance();

  const Collector& collector() const noexcept { return *collector_; }
  const Learner& learner() const noexcept { return *learner_; }
  const CostLedger& costs() const noexcept { return costs_; }
  const Signature& signature() const noexcept { return signature_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  /// Takes a phase that was cut off back to its beginning in the accounts; the steps of it that were played.
  std::int64_t carry_on();
  /// Throws what ended the phase before its time.
  const Phase& finish(const Phase& phase) const;

  std::unique_ptr<Collector> collector_;
  std::unique_ptr<Learner> learner_;
  Schedule schedule_;
  std::int64_t steps_;
  std::int64_t steps_done_ = 0;
  std::int64_t phases_ = 0;
  bool prepared_ = false;
  bool extendable_ = false;
  /// How the run stood when the phase began that was cut off.
  struct Begin {
    std::int64_t steps_done = 0, phases = 0;
    std::uint64_t signature = 0;
    CostLedger::Mark costs;
  };
  std::optional<Begin> open_;
  CostLedger costs_;
  Signature signature_;
};

}  // namespace politex
