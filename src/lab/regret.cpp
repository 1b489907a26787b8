#include "politex/lab/regret.hpp"

#include "politex/exact/chain.hpp"
#include "politex/politex/collector.hpp"

namespace politex::lab {

Comparator::Comparator(const FiniteWorld& world, const std::vector<int>& actions, std::uint64_t seed)
    : world_(&world),
      policy_(world.states(), world.actions()),
      actions_(seed, Use::comparator),
      environment_(seed, Use::comparator_environment),
      state_(world.model().start) {
  const FiniteModel& model = world.model();
  policy_.set(exact::deterministic_policy(model, actions));
  if (!model.deterministic()) return;
  std::vector<std::int64_t> visited(static_cast<std::size_t>(model.states), -1);
  path_ = {0.0};
  for (int x = model.start;;) {
    const auto at = static_cast<std::size_t>(x);
    if (visited[at] >= 0) {
      cycle_begin_ = visited[at];
      return;
    }
    visited[at] = static_cast<std::int64_t>(path_.size()) - 1;
    const auto pair = static_cast<std::size_t>(model.pair(x, actions[at]));
    path_.push_back(path_.back() + model.cost[pair]);
    x = model.next[static_cast<std::size_t>(model.first[pair])];
  }
}

double Comparator::cumulative(std::int64_t steps) const noexcept {
  const auto end = static_cast<std::int64_t>(path_.size()) - 1;
  if (steps <= end) return path_[static_cast<std::size_t>(steps)];
  const std::int64_t length = end - cycle_begin_;
  const std::int64_t turns = (steps - cycle_begin_) / length;
  const double turn = path_.back() - path_[static_cast<std::size_t>(cycle_begin_)];
  return static_cast<double>(turns) * turn + path_[static_cast<std::size_t>(steps - turns * length)];
}

double Comparator::advance(std::int64_t steps) {
  done_ += steps;
  if (!path_.empty()) return cumulative(done_) - cumulative(done_ - steps);
  double cost = 0.0;
  for (std::int64_t t = 0; t < steps; ++t)
    cost += world_->step(state_, policy_.sample(state_, actions_), environment_).cost;
  return cost;
}

void Comparator::save(ByteWriter& to) const {
  to.put(actions_.position());
  to.put(environment_.position());
  to.put(state_);
  to.put(done_);
}

void Comparator::restore(ByteReader& from) {
  actions_.seek(from.get<std::uint64_t>());
  environment_.seek(from.get<std::uint64_t>());
  from.get(state_);
  from.get(done_);
  if (state_ < 0 || state_ >= world_->states())
    throw Error("the saved comparator is not in a state of this environment");
}

RegretLedger::RegretLedger(const FiniteWorld& world, const PolicyTable& explorer, std::int64_t stride,
                           std::uint64_t seed)
    : RegretLedger(world, explorer, stride, seed, exact::optimum(world.model())) {}

RegretLedger::RegretLedger(const FiniteWorld& world, const PolicyTable& explorer, std::int64_t stride,
                           std::uint64_t seed, const exact::Optimum& optimum)
    : world_(&world),
      evaluator_(world.model()),
      optimal_gain_(optimum.gain[static_cast<std::size_t>(world.model().start)]),
      comparator_(world, optimum.action, seed),
      explorer_gain_(evaluator_.evaluate(explorer.probabilities()).gain),
      uniform_gain_(evaluator_.evaluate(exact::uniform_policy(world.model())).gain),
      stride_(stride) {}

void RegretLedger::evaluate(std::span<const double> policy) {
  target_gain_ = evaluator_.evaluate(policy).gain;
  ++evaluated_;
}

void RegretLedger::add(const Phase& phase) {
  std::size_t at = 0;
  for_each_part(phase.lengths, static_cast<std::int64_t>(phase.costs.size()), [&](std::int64_t count, By by) {
    const auto first_state = static_cast<std::size_t>(phase.model_pairs[at] / world_->actions());
    double cost = 0.0;
    for (const std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at) cost += phase.costs[at];
    const double comparator = comparator_.advance(count);
    const auto steps = static_cast<double>(count);
    const double gain = (by == By::explorer ? explorer_gain_
                         : by == By::probe  ? uniform_gain_
                                            : target_gain_)[first_state];
    (by == By::explorer ? terms_.E : terms_.PR) += steps * (gain - optimal_gain_);
    (by == By::explorer ? terms_.V_explore : terms_.V) += cost - steps * gain;
    (by == By::explorer ? terms_.W_explore : terms_.W) += steps * optimal_gain_ - comparator;
    cost_ += cost;
    comparator_cost_ += comparator;
    steps_ += count;
  });
}

void RegretLedger::save(ByteWriter& to) const {
  comparator_.save(to);
  to.put(target_gain_);
  to.put(evaluated_);
  to.put(steps_);
  to.put(cost_);
  to.put(comparator_cost_);
  to.put(terms_);
}

void RegretLedger::restore(ByteReader& from) {
  comparator_.restore(from);
  from.get(target_gain_);
  from.get(evaluated_);
  from.get(steps_);
  from.get(cost_);
  from.get(comparator_cost_);
  from.get(terms_);
}

}  // namespace politex::lab
