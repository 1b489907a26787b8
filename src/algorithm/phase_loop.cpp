#include "politex/algorithm/phase_loop.hpp"

#include <fmt/format.h>

#include <utility>

#include "politex/algorithm/ee_politex.hpp"
#include "politex/base/error.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline algorithm {

PhaseLoop::PhaseLoop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
                     std::int64_t steps)
    : collector_(std::move(collector)),
      learner_(std::move(learner)),
      schedule_(schedule),
      steps_(steps),
      progress_(steps) {}

void PhaseLoop::make_extendable() {
  extendable_ = true;
  progress_.costs().keep_last_tenth();
}

void PhaseLoop::extend(std::int64_t steps) {
  if (!extendable_) throw Error("this run was not made to be extended");
  if (steps < steps_done())
    throw Error(fmt::format("a run of {} steps cannot be shortened to {}", steps_done(), steps));
  steps_ = steps;
  schedule_.extend(steps);
}

bool PhaseLoop::will_be_open() const {
  const Schedule::Next next = schedule_.next(open() ? cut_.begin().steps : steps_done());
  return next.steps < next.lengths.total();
}

void PhaseLoop::restart_if_due() {
  if (!restarted_ && !open() && schedule_.next(steps_done()).restart) learner_->restart(schedule_.phases(steps_done()));
  restarted_ = true;
}

void PhaseLoop::prepare() {
  restart_if_due();
  collector_->follow(learner_->rule(), learner_->weights());
}

Phase PhaseLoop::advance() {
  restart_if_due();
  restarted_ = false;
  const std::int64_t played = cut_.resume(progress_);
  const Progress::Mark begin = progress_.mark();
  const Schedule::Next next = schedule_.next(steps_done());
  const Phase phase = play_phase(*collector_, *learner_, {next.lengths, next.steps, played});
  const auto steps = static_cast<std::int64_t>(phase.costs.size());
  if (steps > 0) {
    progress_.add(phase, learner_->weights());
    const bool stopped = steps < next.steps && !is_whole(phase);
    if (extendable_ && (stopped || (done() && !is_whole(phase)))) cut_.set(begin);
  }
  if (const std::exception_ptr failure = collector_->failure()) std::rethrow_exception(failure);
  return phase;
}

void PhaseLoop::save(ByteWriter& to) const {
  progress_.save(to);
  collector_->save(to);
  learner_->save(to);
  if (!extendable_) return;
  to.put(steps_);
  cut_.save(to, *collector_);
}

void PhaseLoop::restore(ByteReader& from) {
  restarted_ = false;
  progress_.restore(from);
  check_saved(extendable_ || progress_.steps() <= steps_, "steps");
  collector_->restore(from);
  learner_->restore(from);
  if (!extendable_) return;
  std::int64_t steps = 0;
  from.get_within(steps, progress_.steps(), ByteReader::most, "steps");
  extend(steps);
  cut_.restore(from, progress_, *collector_);
}

}  // namespace politex::inline algorithm
