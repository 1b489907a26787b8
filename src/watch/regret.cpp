#include "politex/watch/regret.hpp"

#include "politex/algorithm/collect_data.hpp"
#include "politex/base/saved.hpp"
#include "politex/exact/chain.hpp"

namespace politex::inline watch {

Comparator::Comparator(const TableEnvironment& environment, const std::vector<int>& actions, std::uint64_t seed)
    : environment_(&environment),
      policy_(environment.states(), environment.actions()),
      action_rng_(seed, Use::comparator),
      environment_rng_(seed, Use::comparator_environment),
      state_(environment.model().start) {
  const FiniteModel& model = environment.model();
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
    cost += environment_->step(state_, policy_.sample(state_, action_rng_), environment_rng_).cost;
  return cost;
}

void Comparator::save(ByteWriter& to) const {
  to.put(action_rng_.position());
  to.put(environment_rng_.position());
  to.put(state_);
  to.put(done_);
}

void Comparator::restore(ByteReader& from, std::int64_t steps) {
  action_rng_.seek(from.get<std::uint64_t>());
  environment_rng_.seek(from.get<std::uint64_t>());
  from.get_within(state_, 0, environment_->states() - 1, "the state of the comparator");
  from.get_within(done_, steps, steps, "the steps of the comparator");
}

RegretLedger::RegretLedger(const TableEnvironment& environment, const PolicyTable& explorer, const Options& options)
    : RegretLedger(environment, explorer, options, exact::optimum(environment.model())) {}

RegretLedger::RegretLedger(const TableEnvironment& environment, const PolicyTable& explorer, const Options& options,
                           const exact::Optimum& optimum)
    : environment_(&environment),
      options_(options),
      evaluator_(environment.model()),
      optimal_gain_(optimum.gain[static_cast<std::size_t>(environment.model().start)]),
      comparator_(environment, optimum.action, options.seed),
      explorer_(player(explorer.probabilities())),
      uniform_(player(exact::uniform_policy(environment.model()))) {
  if (!options_.split) return;
  const FiniteModel& model = environment.model();
  const std::vector<double> followed = exact::deterministic_policy(model, optimum.action);
  expected_.emplace(model, followed, evaluator_.evaluate(followed, exact::Accurate::gain));
  for (auto& policy : {exact::tied_policy(model, optimum), exact::extreme_policy(model, optimum, false),
                       exact::extreme_policy(model, optimum, true)}) {
    std::vector<double> stationary = evaluator_.evaluate(policy, exact::Accurate::gain).stationary;
    optimal_.push_back({policy, std::move(stationary)});
  }
}

RegretLedger::Player RegretLedger::player(std::span<const double> policy, exact::Accurate accurate) {
  Player player{
      .policy = {policy.begin(), policy.end()}, .evaluation = evaluator_.evaluate(policy, accurate), .transients = {}};
  if (options_.split) player.transients.emplace(environment_->model(), policy, player.evaluation);
  return player;
}

void RegretLedger::evaluate(std::span<const double> policy) {
  target_ = player(policy, options_.split ? exact::Accurate::bias : exact::Accurate::gain);
  ++evaluated_;
}

std::vector<double> RegretLedger::horizon_q(std::int64_t horizon) {
  const FiniteModel& model = environment_->model();
  std::vector<double> q = exact::expected_next(model, target_.transients->of(horizon - 1));
  const std::vector<double> gain = exact::expected_next(model, target_.evaluation.gain);
  for (std::size_t pair = 0; pair < q.size(); ++pair) q[pair] += model.cost[pair] - gain[pair];
  return q;
}

void RegretLedger::add(const Phase& phase) {
  std::size_t at = 0;
  std::optional<By> before;  // a new phase has a new policy
  for_each_segment(phase, [&](std::int64_t count, By by) {
    const auto first_state = static_cast<std::size_t>(phase.model_pairs[at] / environment_->actions());
    double cost = 0.0;
    for (const std::size_t end = at + static_cast<std::size_t>(count); at < end; ++at) cost += phase.costs[at];
    const double comparator = comparator_.advance(count);
    const auto steps = static_cast<double>(count);
    Player& player = by == By::explorer ? explorer_ : by == By::probe ? uniform_ : target_;
    const bool own_costs = options_.learns && by == By::explorer;
    const double gain = own_costs ? cost / steps : player.evaluation.gain[first_state];
    (by == By::explorer ? terms_.E : terms_.PR) += steps * (gain - optimal_gain_);
    (by == By::explorer ? terms_.V_explore : terms_.V) += cost - steps * gain;
    (by == By::explorer ? terms_.W_explore : terms_.W) += steps * optimal_gain_ - comparator;
    if (by == By::probe) probe_regret_ += steps * (gain - optimal_gain_);
    (by == By::explorer ? runs_.explorer_steps : runs_.other_steps) += steps;
    if (by != before) (by == By::explorer ? runs_.explorer : runs_.other) += 1.0;
    before = by;
    if (options_.split && !own_costs) {
      const double above = player.transients->of(count)[first_state], comparator_above = expected_->advance(count);
      NoiseSplit& v = by == By::explorer ? split_.V_explore : split_.V;
      NoiseSplit& w = by == By::explorer ? split_.W_explore : split_.W;
      v.transient += above;
      v.martingale += cost - (steps * gain + above);
      w.transient -= comparator_above;
      w.martingale += steps * optimal_gain_ + comparator_above - comparator;
    }
    cost_ += cost;
    comparator_cost_ += comparator;
    steps_ += count;
  });
}

void RegretLedger::save(ByteWriter& to) const {
  comparator_.save(to);
  to.put(target_.policy);
  to.put(evaluated_);
  to.put(steps_);
  to.put(cost_);
  to.put(comparator_cost_);
  to.put(probe_regret_);
  to.put(runs_);
  to.put(terms_);
  to.put(split_);
}

void RegretLedger::restore(ByteReader& from, std::int64_t steps) {
  comparator_.restore(from, steps);
  std::vector<double> policy;
  from.get(policy);
  const FiniteModel& model = environment_->model();
  const bool fits = policy.empty() ? steps == 0
                                   : policy.size() == static_cast<std::size_t>(model.pairs()) &&
                                         are_distributions(policy, static_cast<std::size_t>(model.actions));
  check_saved(fits, "the policy that was evaluated");
  if (!policy.empty())
    target_ = player(policy, options_.split ? exact::Accurate::bias
                                            : exact::Accurate::gain);  // an evaluation depends only on its policy
  from.get_count(evaluated_, "evaluated phases");
  from.get_within(steps_, steps, steps, "the steps of the regret");
  for (double* each : {&cost_, &comparator_cost_, &probe_regret_}) from.get_finite(*each, "the regret");
  from.get(runs_);
  from.get(terms_);
  from.get(split_);
  if (expected_) expected_->advance(steps_ - expected_->steps());
}

}  // namespace politex::inline watch
