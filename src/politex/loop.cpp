#include "politex/politex/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"

namespace politex {
namespace {

/// A run of unknown end holds the costs of its last tenth; where these are more, the mean over them is not known.
constexpr std::int64_t most_kept = 5'000'000;

}  // namespace

void CostLedger::add(const Phase& phase) {
  const std::int64_t before = all().steps;
  const auto steps = static_cast<std::int64_t>(phase.costs.size());
  double phase_cost = 0.0;
  std::size_t at = 0;
  for_each_part(phase.lengths, steps, [&](std::int64_t count, By by) {
    double total = 0.0;
    for (const std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at) total += phase.costs[at];
    Part& part = parts_[static_cast<std::size_t>(by)];
    part.steps += count;
    part.cost += total;
    phase_cost += total;
  });
  if (!std::isfinite(phase_cost)) {
    std::size_t bad = 0;
    while (bad < phase.costs.size() && std::isfinite(phase.costs[bad])) ++bad;
    if (bad == phase.costs.size())
      throw Error(
          fmt::format("the costs of the phase that ended at step {} sum to more than a number can hold; give "
                      "them in another unit",
                      before + steps));
    throw Error(fmt::format("the environment gave the cost {} at step {}: costs must be finite", phase.costs[bad],
                            before + static_cast<std::int64_t>(bad) + 1));
  }
  phase_average_ = phase_cost / static_cast<double>(steps);
  if (before + steps > last_tenth_begin_)
    for (auto t = static_cast<std::size_t>(std::max<std::int64_t>(0, last_tenth_begin_ - before));
         t < phase.costs.size(); ++t)
      last_tenth_cost_ += phase.costs[t];
  if (keeps_) keep(phase, before);
}

void CostLedger::keep(const Phase& phase, std::int64_t before) {
  const std::int64_t after = before + static_cast<std::int64_t>(phase.costs.size());
  const std::int64_t needed = after - (after + 9) / 10;
  if (after - needed > most_kept) {
    kept_.clear();
    kept_begin_ = after;
    return;
  }
  kept_.insert(kept_.end(), phase.costs.begin(), phase.costs.end());
  const auto spare = static_cast<std::ptrdiff_t>(needed - kept_begin_);
  if (2 * spare < static_cast<std::ptrdiff_t>(kept_.size())) return;
  kept_.erase(kept_.begin(), kept_.begin() + spare);
  kept_begin_ = needed;
}

CostLedger::Part CostLedger::last_tenth() const {
  const std::int64_t steps = all().steps;
  const bool as_planned = steps == last_tenth_begin_ + last_tenth_steps_;
  if (!keeps_ || as_planned) return {last_tenth_steps_, last_tenth_cost_};
  Part part{(steps + 9) / 10, 0.0};
  const std::int64_t begin = steps - part.steps;
  if (begin < kept_begin_) return {part.steps, unknown};
  for (auto t = static_cast<std::size_t>(begin - kept_begin_); t < kept_.size(); ++t) part.cost += kept_[t];
  return part;
}

void CostLedger::rewind(const Mark& mark) {
  parts_ = mark.parts;
  last_tenth_cost_ = mark.last_tenth_cost;
  phase_average_ = mark.phase_average;
  kept_begin_ = std::min(kept_begin_, all().steps);
  kept_.resize(std::min(kept_.size(), static_cast<std::size_t>(all().steps - kept_begin_)));
}

CostLedger::Part CostLedger::all() const noexcept {
  Part sum;
  for (const Part& part : parts_) {
    sum.steps += part.steps;
    sum.cost += part.cost;
  }
  return sum;
}

void CostLedger::save(ByteWriter& to) const {
  to.put(parts_);
  to.put(last_tenth_cost_);
  to.put(phase_average_);
  if (!keeps_) return;
  to.put(kept_begin_);
  to.put(kept_);
}

void CostLedger::restore(ByteReader& from) {
  from.get(parts_);
  from.get(last_tenth_cost_);
  from.get(phase_average_);
  if (!keeps_) return;
  from.get(kept_begin_);
  from.get(kept_);
}

Loop::Loop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
           std::int64_t steps)
    : collector_(std::move(collector)),
      learner_(std::move(learner)),
      schedule_(schedule),
      steps_(steps),
      costs_(steps) {}

void Loop::make_extendable() {
  extendable_ = true;
  costs_.keep_last_tenth();
}

void Loop::extend(std::int64_t steps) {
  if (!extendable_) throw Error("this run was not made to be extended");
  if (steps < steps_done_) throw Error(fmt::format("a run of {} steps cannot be cut back to {}", steps_done_, steps));
  steps_ = steps;
  schedule_.extend(steps);
}

bool Loop::will_be_open() const {
  const Schedule::Next next = schedule_.next(open_ ? open_->steps_done : steps_done_);
  return next.steps < next.lengths.total();
}

void Loop::prepare() {
  if (prepared_) return;
  if (!open_ && schedule_.next(steps_done_).restart) learner_->restart(schedule_.phases(steps_done_));
  collector_->follow(learner_->rule(), learner_->weights());
  prepared_ = true;
}

Phase Loop::advance() {
  prepare();
  prepared_ = false;
  const std::int64_t played = carry_on();
  const Schedule::Next next = schedule_.next(steps_done_);
  const Begin begin{steps_done_, phases_, signature_.value(), costs_.mark()};
  const Phase phase = collector_->play(next.lengths, played, next.steps);
  const auto steps = static_cast<std::int64_t>(phase.costs.size());
  if (steps == 0) return finish(phase);
  costs_.add(phase);
  if (steps == next.lengths.total()) {
    learner_->learn(phase);
    if (!std::ranges::all_of(learner_->weights(), [](double weight) { return std::isfinite(weight); }))
      throw Error(fmt::format(
          "the estimate of phase {} is not finite: the least squares overflowed or diverged; smaller features, "
          "costs or steps, or a larger algorithm.ridge, may help",
          phases_ + 1));
  }
  steps_done_ += steps;
  ++phases_;
  if (extendable_ && (steps < next.steps || (steps < next.lengths.total() && steps_done_ == steps_))) open_ = begin;
  signature_.add(phase.pairs);
  if (!phase.slots_are_states) signature_.add(phase.costs);
  signature_.add(learner_->weights());
  return finish(phase);
}

std::int64_t Loop::carry_on() {
  if (!open_) return 0;
  const std::int64_t played = steps_done_ - open_->steps_done;
  steps_done_ = open_->steps_done;
  phases_ = open_->phases;
  signature_.restore(open_->signature);
  costs_.rewind(open_->costs);
  open_.reset();
  return played;
}

const Phase& Loop::finish(const Phase& phase) const {
  if (const std::exception_ptr failure = collector_->failure()) std::rethrow_exception(failure);
  return phase;
}

void Loop::save(ByteWriter& to) const {
  to.put(steps_done_);
  to.put(phases_);
  to.put(signature_.value());
  costs_.save(to);
  collector_->save(to);
  learner_->save(to);
  if (!extendable_) return;
  to.put(steps_);
  to.put(open_.has_value());
  if (!open_) return;
  to.put(*open_);
  collector_->save_phase(to);
}

void Loop::restore(ByteReader& from) {
  from.get(steps_done_);
  from.get(phases_);
  prepared_ = false;
  signature_.restore(from.get<std::uint64_t>());
  costs_.restore(from);
  collector_->restore(from);
  learner_->restore(from);
  if (!extendable_) return;
  extend(from.get<std::int64_t>());
  open_.reset();
  if (!from.get<bool>()) return;
  open_ = from.get<Begin>();
  collector_->restore_phase(from);
}

}  // namespace politex
