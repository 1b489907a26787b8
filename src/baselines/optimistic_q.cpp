#include "politex/baselines/optimistic_q.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/baselines/step_collector.hpp"

namespace politex::inline baselines {

void OptimisticQ::observe(const Place& here, Action action, double cost, const Place& next) noexcept {
  const double n = visits_.at(here.state, action) += 1.0;
  const double rate = (horizon_ + 1.0) / (horizon_ + n);
  const double target =
      scale_(cost) + options_.discount * optimistic_.least(next.state) - options_.bonus * std::sqrt(horizon_ / n);
  double& q = q_.at(here.state, action);
  q = (1.0 - rate) * q + rate * target;
  double& optimistic = optimistic_.at(here.state, action);
  optimistic = std::max(optimistic, q);
}

void OptimisticQ::save(ByteWriter& to) const {
  for (const QTable* table : {&q_, &optimistic_, &visits_}) table->save(to);
}

void OptimisticQ::restore(ByteReader& from) {
  for (QTable* table : {&q_, &optimistic_, &visits_}) table->restore(from);
}

namespace {

Keys optimistic_q_keys() {
  using O = OptimisticQOptions;
  return Keys{key<&O::discount>("algorithm.gamma", "discount per step; H = 1 / (1 - discount)", number(0, 0.999999)),
              key<&O::bonus>("algorithm.bonus", "factor c of the bonus c sqrt(H / n), in units of the range of costs",
                             number_of_at_least(0))} +
         block_keys();
}

}  // namespace

const LearnerEntry& optimistic_q_entry() {
  static const LearnerEntry entry{
      .name = "optimistic_q",
      .help = "optimistic Q-learning (Wei et al. 2020): greedy in a lower bound of the costs, tabular",
      .keys = optimistic_q_keys(),
      .presets = block_presets(),
      .check = check_blocks,
      .play = [](const Values& values, StepParts&& parts) {
        OptimisticQ learner(table_states(parts, optimistic_q_entry()), parts.actions,
                            read<OptimisticQOptions>(optimistic_q_keys(), values),
                            cost_scale(parts, optimistic_q_entry()));
        return make_step_collector(std::move(parts), std::move(learner));
      }};
  return entry;
}

}  // namespace politex::inline baselines
