#include "politex/politex/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"

namespace politex {

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
    while (bad + 1 < phase.costs.size() && std::isfinite(phase.costs[bad])) ++bad;
    throw Error(fmt::format("the environment gave the cost {} at step {}: costs must be finite", phase.costs[bad],
                            before + static_cast<std::int64_t>(bad) + 1));
  }
  phase_average_ = phase_cost / static_cast<double>(steps);
  if (before + steps > last_tenth_begin_)
    for (auto t = static_cast<std::size_t>(std::max<std::int64_t>(0, last_tenth_begin_ - before));
         t < phase.costs.size(); ++t)
      last_tenth_cost_ += phase.costs[t];
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
}

void CostLedger::restore(ByteReader& from) {
  from.get(parts_);
  from.get(last_tenth_cost_);
  from.get(phase_average_);
}

Loop::Loop(std::unique_ptr<Collector> collector, std::unique_ptr<Learner> learner, const Schedule& schedule,
           std::int64_t steps)
    : collector_(std::move(collector)),
      learner_(std::move(learner)),
      schedule_(schedule),
      steps_(steps),
      costs_(steps) {}

void Loop::prepare() {
  if (prepared_) return;
  if (schedule_.next(steps_done_).restart) learner_->restart(schedule_.phases(steps_done_));
  collector_->follow(learner_->rule(), learner_->weights());
  prepared_ = true;
}

Phase Loop::advance() {
  prepare();
  prepared_ = false;
  const Schedule::Next next = schedule_.next(steps_done_);
  const Phase phase = collector_->collect(next.lengths, next.steps);
  costs_.add(phase);
  if (next.steps == next.lengths.total()) {
    learner_->learn(phase);
    if (!std::ranges::all_of(learner_->weights(), [](double weight) { return std::isfinite(weight); }))
      throw Error(fmt::format(
          "the estimate of phase {} is not finite: the least squares overflowed or diverged; smaller features, "
          "costs or steps, or a larger algorithm.ridge, may help",
          phases_ + 1));
  }
  steps_done_ += next.steps;
  ++phases_;
  signature_.add(phase.pairs);
  if (!phase.slots_are_states) signature_.add(phase.costs);
  signature_.add(learner_->weights());
  return phase;
}

void Loop::save(ByteWriter& to) const {
  to.put(steps_done_);
  to.put(phases_);
  to.put(signature_.value());
  costs_.save(to);
  collector_->save(to);
  learner_->save(to);
}

void Loop::restore(ByteReader& from) {
  from.get(steps_done_);
  from.get(phases_);
  prepared_ = false;
  signature_.restore(from.get<std::uint64_t>());
  costs_.restore(from);
  collector_->restore(from);
  learner_->restore(from);
}

}  // namespace politex
