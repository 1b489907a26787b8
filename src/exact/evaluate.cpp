#include "politex/exact/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex::exact {
namespace {

constexpr int most_states = 200'000;

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

/// Of two periods, both at least 1.
std::int64_t common_multiple(std::int64_t a, std::int64_t b) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t rest = b / std::gcd(a, b);
  if (rest <= 1) return a;
  return a > most / rest ? most : a * rest;
}

template <class Real>
std::vector<double> to_double(const std::vector<Real>& values) {
  std::vector<double> result(values.size());
  std::ranges::transform(values, result.begin(), [](Real v) { return static_cast<double>(v); });
  return result;
}

// (P f)(x) over the moves without teleporting whose successors satisfy `keep`.
template <class Real, class Keep>
Real next_mean(const Chain& chain, int x, const std::vector<Real>& f, Keep keep) {
  const auto columns = chain.rows.indices(x);
  const auto values = chain.rows.values(x);
  Real sum = Real(0);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    if (keep(columns[e])) sum += Real(values[e]) * f[columns[e]];
  }
  return sum;
}

template <class Real>
Real mean(const std::vector<Real>& distribution, const std::vector<Real>& f) {
  return std::inner_product(distribution.begin(), distribution.end(), f.begin(), Real(0));
}

// The case with teleporting: all states form one class.
template <class Real>
void evaluate_teleporting(const Chain& chain, const Elimination<Real>& elimination, Evaluation& result) {
  const int n = chain.states();
  std::vector<Real> distribution(n), right(n, Real(1) / Real(n)), bias(n), cost(chain.cost.begin(), chain.cost.end());
  elimination.open_visits(right, distribution);
  const Real total = std::accumulate(distribution.begin(), distribution.end(), Real(0)),
             teleport = Real(chain.teleport);
  for (Real& mass : distribution) mass /= total;
  const Real gain = mean(distribution, cost);
  std::vector<Real> residual(n), step(n);
  for (int x = 0; x < n; ++x) residual[x] = cost[x] - gain;
  for (int round = 0; round < 2; ++round) {  // the second round corrects rounding, as in closed_bias
    const Real inconsistent = mean(distribution, residual);
    for (Real& r : residual) r -= inconsistent;
    elimination.solve(false, residual, step);
    for (int x = 0; x < n; ++x) bias[x] += step[x];
    const Real shift = mean(distribution, bias);
    for (Real& h : bias) h -= shift;
    const Real jump = teleport * std::accumulate(bias.begin(), bias.end(), Real(0)) / Real(n);
    for (int x = 0; x < n; ++x) {
      const Real next = next_mean(chain, x, bias, [](int) { return true; });
      residual[x] = cost[x] - gain - bias[x] + (Real(1) - teleport) * next + jump;
    }
  }
  result.gain.assign(n, static_cast<double>(gain));
  result.bias = to_double(bias);
  result.class_distribution = result.stationary = to_double(distribution);
}

// The bias of the recurrent states. Elimination satisfies every equation except that of the last state of the class,
// which collects the rounding error of the gain, divided by the frequency of that state. So the residual is spread over
// the class (its mean is an error of the gain) and solved for again.
template <class Real>
void closed_bias(const Chain& chain, const Classes& classes, const Elimination<Real>& elimination,
                 const std::vector<Real>& distribution, const std::vector<Real>& gain, std::vector<Real>& bias) {
  const int n = chain.states();
  const auto subtract_class_means = [&](std::vector<Real>& f) {
    std::vector<Real> means(classes.count, Real(0));
    for (int x = 0; x < n; ++x) {
      if (classes.of[x] >= 0) means[classes.of[x]] += distribution[x] * f[x];
    }
    for (int x = 0; x < n; ++x) {
      if (classes.of[x] >= 0) f[x] -= means[classes.of[x]];
    }
  };
  std::vector<Real> residual(n, Real(0)), step(n, Real(0));
  for (int x = 0; x < n; ++x) residual[x] = Real(chain.cost[x]) - gain[x];
  for (int round = 0; round < 2; ++round) {
    subtract_class_means(residual);
    elimination.solve(true, residual, step);
    for (int x = 0; x < n; ++x) bias[x] += step[x];
    subtract_class_means(bias);
    for (int x = 0; x < n; ++x) {
      if (classes.of[x] < 0) continue;
      const Real next = next_mean(chain, x, bias, [](int) { return true; });
      residual[x] = Real(chain.cost[x]) - gain[x] - bias[x] + next;
    }
  }
}

// Absorption probabilities of the classes from one state.
template <class Real>
std::vector<Real> absorption(const Chain& chain, const Classes& classes, int start,
                             const Elimination<Real>& elimination) {
  const int n = chain.states();
  std::vector<Real> reached(classes.count, Real(0)), from(n, Real(0)), visits(n, Real(0));
  if (classes.of[start] >= 0) {
    reached[classes.of[start]] = Real(1);
    return reached;
  }
  from[start] = Real(1);
  elimination.open_visits(from, visits);
  for (int x = 0; x < n; ++x) {
    if (visits[x] == Real(0)) continue;
    const auto columns = chain.rows.indices(x);
    const auto values = chain.rows.values(x);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      if (classes.of[columns[e]] >= 0) reached[classes.of[columns[e]]] += visits[x] * Real(values[e]);
    }
  }
  const Real total = std::accumulate(reached.begin(), reached.end(), Real(0));
  for (Real& share : reached) share /= total;
  return reached;
}

// First the recurrent classes, then the transient states.
template <class Real>
bool evaluate_classes(const Chain& chain, const Classes& classes, int start, const Elimination<Real>& elimination,
                      Evaluation& result) {
  const int n = chain.states();
  const auto closed = [&](int x) { return classes.of[x] >= 0; };
  std::vector<Real> distribution(n), gain(n), bias(n), right(n), class_gain(classes.count);
  if (!elimination.class_distributions(distribution) && std::is_same_v<Real, double>) return false;
  for (int x = 0; x < n; ++x) {
    if (closed(x)) class_gain[classes.of[x]] += distribution[x] * Real(chain.cost[x]);
  }
  for (int x = 0; x < n; ++x) {
    if (closed(x)) gain[x] = class_gain[classes.of[x]];
  }
  for (int x = 0; x < n; ++x) right[x] = closed(x) ? Real(0) : next_mean(chain, x, gain, closed);
  elimination.solve(false, right, gain);
  closed_bias(chain, classes, elimination, distribution, gain, bias);
  for (int x = 0; x < n; ++x) {
    if (!closed(x)) right[x] = Real(chain.cost[x]) - gain[x] + next_mean(chain, x, bias, closed);
  }
  elimination.solve(false, right, bias);

  const std::vector<Real> reached = absorption(chain, classes, start, elimination);
  result.class_distribution = to_double(distribution);
  for (int x = 0; x < n; ++x) distribution[x] = closed(x) ? distribution[x] * reached[classes.of[x]] : Real(0);
  result.gain = to_double(gain);
  result.bias = to_double(bias);
  result.stationary = to_double(distribution);
  for (int k = 0; k < classes.count; ++k) {
    if (reached[k] > Real(0)) result.period = common_multiple(result.period, result.period_of_class[k]);
  }
  return true;
}

}  // namespace

Evaluator::Evaluator(const FiniteModel& model) : model_(&model) {
  if (model.states > most_states) {
    throw ConfigError{"environment",
                      fmt::format("exact answers for {} states; accepted: up to {}. Use a smaller environment, or "
                                  "estimate the gain by a long run of the fixed policy",
                                  model.states, most_states)};
  }
}

// A deterministic policy has much less fill-in than the union of all policies, which is valid for every stochastic one.
const Plan& Evaluator::plan_for(std::span<const double> policy, const Chain& chain) {
  if (is_deterministic(*model_, policy)) return own_plan_ = plan_elimination(chain.rows);
  if (!full_plan_) full_plan_ = plan_elimination(union_pattern(*model_));
  return *full_plan_;
}

template <class Real>
int Evaluator::try_evaluate(const Plan& plan, const Chain& chain, Elimination<Real>& elimination,
                            Evaluation& result) const {
  const Classes classes = recurrent_classes(chain);
  const int unresolved = elimination.factor(plan, chain, classes);
  if (unresolved >= 0) return unresolved;
  result.class_of = classes.of;
  result.classes = classes.count;
  result.period_of_class = periods(chain, classes);
  result.period = 1;
  if (chain.teleport > 0.0) {
    evaluate_teleporting(chain, elimination, result);
    return -1;
  }
  return evaluate_classes(chain, classes, model_->start, elimination, result) ? -1 : model_->start;
}

// A state that the partly eliminated chain almost never leaves should be eliminated last.
bool Evaluator::evaluate_wide(const Plan& plan, const Chain& chain, Evaluation& result) {
  std::vector<int> homes(1, try_evaluate(plan, chain, wide_, result));
  if (homes[0] < 0) return true;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const Plan other = plan_elimination(chain.rows, homes);
    const int unresolved = try_evaluate(other, chain, wide_, result);
    if (unresolved < 0) return true;
    if (std::ranges::find(homes, unresolved) != homes.end()) return false;
    homes.push_back(unresolved);
  }
  return false;
}

Evaluation Evaluator::evaluate(std::span<const double> policy) {
  check_policy(*model_, policy);
  Evaluation result;
  Chain chain = chain_of(*model_, policy);
  const Plan& plan = plan_for(policy, chain);
  if (try_evaluate(plan, chain, fast_, result) < 0) return result;
  for (const double floor : {0.0, 1e-300, 1e-150, 1e-60, 1e-25}) {
    result.floor = floor;
    if (floor > 0.0) chain = chain_of(*model_, policy, floor);
    if (evaluate_wide(plan, chain, result)) return result;
  }
  throw Error(
      "the policy cannot be evaluated: its long run depends on moves that are too rare for floating-point numbers");
}

Evaluation evaluate(const FiniteModel& model, std::span<const double> policy) {
  return Evaluator(model).evaluate(policy);
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
  ActionValues values{.gain_after = expected_next(model, evaluation.gain),
                      .value = expected_next(model, evaluation.bias)};
  for (int pair = 0; pair < model.pairs(); ++pair) {
    values.value[pair] += model.cost[pair] - values.gain_after[pair];
  }
  return values;
}

}  // namespace politex::exact
