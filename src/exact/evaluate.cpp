#include "politex/exact/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/machine.hpp"

namespace politex::exact {
namespace {

constexpr int most_states = 20'000'000;

// The moves of all actions.
SparseRows union_pattern(const FiniteModel& model) { return chain_of(model, uniform_policy(model)).rows; }

bool is_deterministic(const FiniteModel& model, std::span<const double> policy) {
  for (int x = 0; x < model.states; ++x) {
    const auto row =
        policy.subspan(static_cast<std::size_t>(model.pair(x, 0)), static_cast<std::size_t>(model.actions));
    if (std::ranges::count_if(row, [](double p) { return p > 0.0; }) != 1) return false;
  }
  return true;
}

// Beyond this many multiplications (seconds of planning and elimination) the answer comes from iteration.
constexpr double most_elimination_work = 3e8;
// Above this, wider arithmetic is tried; where that takes long, above reported_error.
constexpr double wanted_error = 1e-11, long_work = 1e7;
// Multiplications of an elimination for which wider arithmetic is tried: some seconds.
constexpr double most_wide_work = 1e9, most_widest_work = 5e7;

// The states with the largest probability in their classes, the class of the largest number last.
std::vector<int> heaviest_states(const Evaluation& evaluation) {
  std::vector<int> heaviest(evaluation.classes, -1);
  const auto& mass = evaluation.class_distribution;
  for (std::size_t x = 0; x < mass.size(); ++x) {
    const int k = evaluation.class_of[x];
    if (k >= 0 && (heaviest[k] < 0 || mass[x] > mass[heaviest[k]])) heaviest[k] = static_cast<int>(x);
  }
  return heaviest;
}

}  // namespace

struct Evaluator::Task {
  std::span<const double> policy;
  Accurate accurate;
  bool deterministic;
  double floor = 0.0;
  Chain chain = {};
  Classes classes = {};
  const Plan* plan = nullptr;  // the one to begin with
  std::vector<int> last = {};  // the states to be eliminated last
  bool resolved = false;       // there is an answer
};

Evaluator::Evaluator(const FiniteModel& model, ShowIteration show) : model_(&model), show_(std::move(show)) {
  if (model.states > most_states) {
    throw ConfigError{"environment",
                      fmt::format("exact answers for {} states; accepted: up to {}. Use a smaller environment, or "
                                  "estimate the gain by a long run of the fixed policy",
                                  model.states, most_states)};
  }
  if (const double bytes = iteration_bytes(model); bytes > machine_memory()) {
    throw ConfigError{"environment",
                      fmt::format("exact answers for {} states need about {:.1f} GB besides the model; accepted: what "
                                  "this machine has, {:.1f} GB. Use a smaller environment, or estimate the gain by a "
                                  "long run of the fixed policy",
                                  model.states, 1e-9 * bytes, 1e-9 * machine_memory())};
  }
}

// A deterministic policy has much less fill-in than the union of all policies, which is valid for all others.
const Plan& Evaluator::plan_of(const Task& task) {
  if (task.deterministic) {
    if (task.floor == 0.0) own_plan_ = plan_elimination(task.chain.rows, {}, most_elimination_work);
    return own_plan_;
  }
  if (!full_plan_) full_plan_ = plan_elimination(union_pattern(*model_), {}, most_elimination_work);
  return *full_plan_;
}

bool Evaluator::would_iterate(std::span<const double> policy) {
  Task task{.policy = policy, .accurate = Accurate::gain, .deterministic = is_deterministic(*model_, policy)};
  if (task.deterministic) task.chain = chain_of(*model_, policy);
  return plan_of(task).state.empty();
}

const Plan& Evaluator::plan_with_last(const Task& task, const std::vector<int>& last) {
  const bool shared = !task.deterministic && task.floor == 0.0;
  if (shared && last == last_) return last_plan_;
  last_ = shared ? last : std::vector<int>{};
  return last_plan_ = plan_elimination(shared ? union_pattern(*model_) : task.chain.rows, last);
}

// The state that is eliminated last should be the one with the largest probability: a rounding error of the gain is
// divided by it. A state that the partly eliminated chain almost never leaves should be eliminated late, too.
template <class Real>
bool Evaluator::try_evaluate(Task& task, Elimination<Real>& elimination, Evaluation& result) {
  const ChainValues<Real> values(*model_, task.policy, task.chain);
  const Plan* plan = task.last.empty() ? task.plan : &plan_with_last(task, task.last);
  for (int attempt = 0; attempt < 5; ++attempt) {
    Evaluation found;
    found.floor = task.floor;
    const int unresolved =
        solve_chain(*plan, task.chain, values, task.classes, *model_, task.accurate, elimination, found);
    if (unresolved < 0) {
      const bool better = !task.resolved || !(found.relative_error() >= result.relative_error());
      if (better) result = std::move(found);
      task.resolved = true;
      if (task.accurate == Accurate::gain) return true;
      const double wanted = task.plan->work > long_work ? reported_error : wanted_error;
      if (task.accurate == Accurate::bias && result.relative_error() <= wanted) return true;
      if (task.accurate == Accurate::advantages && result.advantages.decided) return true;
      std::vector<int> heaviest = heaviest_states(result);
      if (heaviest == task.last || task.chain.teleport > 0.0) return false;
      task.last = std::move(heaviest);
    } else {
      if (std::is_same_v<Real, double> || std::ranges::find(task.last, unresolved) != task.last.end()) return false;
      task.last.push_back(unresolved);
    }
    plan = &plan_with_last(task, task.last);
  }
  return false;
}

Evaluation Evaluator::evaluate_iteratively(const Task& task) const {
  const Chain& chain = task.chain;
  IteratedPolicy found =
      iterate_policy(chain.rows, chain.cost, chain.teleport, model_->start, task.accurate != Accurate::gain, show_);
  const auto states = chain.cost.size();
  Evaluation result;
  result.arithmetic = by_iteration;
  result.gain.assign(states, found.gain.middle());
  result.gain_error.assign(states, 0.5 * (found.gain.width()));
  result.bias = std::move(found.bias);
  if (found.stationary.empty()) found.stationary.assign(states, 0.0);
  const double shift = std::inner_product(result.bias.begin(), result.bias.end(), found.stationary.begin(), 0.0);
  for (double& h : result.bias) h -= shift;
  result.bias_error.assign(states, std::numeric_limits<double>::infinity());
  result.excess = result.bias_unit = chain.cost;
  for (std::size_t x = 0; x < states; ++x) {
    result.excess[x] -= result.gain[x];
    result.bias_unit[x] = std::abs(result.excess[x]);
  }
  result.residual = found.gain.width();
  result.class_of = task.classes.of;
  result.classes = task.classes.count;
  result.period_of_class = periods(chain, task.classes);
  result.period = result.period_of_class.front();
  result.stationary = std::move(found.stationary);
  result.class_distribution = result.stationary;
  return result;
}

Evaluation Evaluator::evaluate(std::span<const double> policy, Accurate accurate) {
  check_policy(*model_, policy);
  Evaluation result;
  Task task{.policy = policy, .accurate = accurate, .deterministic = is_deterministic(*model_, policy)};
  for (const double floor : {0.0, 1e-300, 1e-150, 1e-60, 1e-25}) {
    task.floor = floor;
    task.chain = chain_of(*model_, policy, floor);
    task.classes = recurrent_classes(task.chain);
    task.last.clear();
    task.plan = &plan_of(task);
    if (task.plan->state.empty()) return evaluate_iteratively(task);
    if (floor == 0.0 && try_evaluate(task, fast_, result)) return result;
    if (task.resolved && task.plan->work > most_wide_work) return result;
    if (try_evaluate(task, wide_, result)) return result;
    if (task.resolved && task.plan->work > most_widest_work) return result;
    if (try_evaluate(task, widest_, result) || task.resolved) return result;
  }
  throw Error(
      "the policy cannot be evaluated: its long run depends on moves that are too rare for floating-point numbers");
}

bool needs_iteration(const FiniteModel& model) {
  return plan_elimination(union_pattern(model), {}, most_elimination_work).state.empty();
}

Evaluation evaluate(const FiniteModel& model, std::span<const double> policy, const ShowIteration& show) {
  return Evaluator(model, show).evaluate(policy);
}

std::vector<double> expected_next(const FiniteModel& model, std::span<const double> by_state) {
  const double mean = std::accumulate(by_state.begin(), by_state.end(), 0.0) / model.states;
  std::vector<double> result(model.pairs());
  for (int pair = 0; pair < model.pairs(); ++pair) {
    double sum = 0.0;
    for (auto e = model.first[pair]; e < model.first[pair + 1]; ++e) {
      sum += model.probability[e] * by_state[model.next[e]];
    }
    result[pair] = model.teleport > 0.0 ? (1.0 - model.teleport) * sum + model.teleport * mean : sum;
  }
  return result;
}

ActionValues action_values(const FiniteModel& model, const Evaluation& evaluation) {
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  ActionValues values{.gain_after = expected_next(model, evaluation.gain),
                      .value = expected_next(model, evaluation.bias),
                      .gain_error = expected_next(model, evaluation.gain_error),
                      .value_error = expected_next(model, evaluation.bias_error)};
  std::vector<double> size(evaluation.bias.size());
  std::ranges::transform(evaluation.bias, size.begin(), [](double h) { return std::abs(h); });
  size = expected_next(model, size);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    values.value[pair] += model.cost[pair] - values.gain_after[pair];
    values.gain_error[pair] += rounding * std::abs(values.gain_after[pair]);
    values.value_error[pair] += values.gain_error[pair] + rounding * (size[pair] + std::abs(model.cost[pair]));
  }
  return values;
}

}  // namespace politex::exact
