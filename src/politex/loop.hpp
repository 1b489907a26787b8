// Algorithm 1: phases of collecting with a frozen policy, estimating, and adding to the sum of Qs.
#pragma once

#include <cstdint>
#include <memory>

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

  struct Part {
    std::int64_t steps = 0;
    double cost = 0.0;
  };
  const Part& part(By by) const noexcept { return parts_[static_cast<std::size_t>(by)]; }
  Part all() const noexcept;
  Part last_tenth() const noexcept { return {last_tenth_steps_, last_tenth_cost_}; }
  /// Of the phase added last.
  double phase_average() const noexcept { return phase_average_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::array<Part, 3> parts_{};
  std::int64_t last_tenth_begin_, last_tenth_steps_;
  double last_tenth_cost_ = 0.0;
  double phase_average_ = 0.0;
};

class Loop {
 public:
  Loop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
       std::int64_t steps);

  bool done() const noexcept { return steps_done_ == steps_; }
  std::int64_t steps_done() const noexcept { return steps_done_; }
  std::int64_t phases() const noexcept { return phases_; }

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
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<Learner> learner_;
  Schedule schedule_;
  std::int64_t steps_;
  std::int64_t steps_done_ = 0;
  std::int64_t phases_ = 0;
  bool prepared_ = false;
  CostLedger costs_;
  Signature signature_;
};

}  // namespace politex
