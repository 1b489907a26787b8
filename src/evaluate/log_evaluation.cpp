#include "politex/evaluate/log_evaluation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/evaluate/log_estimate.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::inline evaluate {
namespace {

/// The log counted: transitions and mean costs of its pairs.
struct Counted {
  int states, actions;
  std::vector<double> lines, cost;                // per pair
  std::vector<std::map<int, double>> successors;  // per pair
};

std::size_t pair_of(int state, int actions, int action) {
  return static_cast<std::size_t>(state) * static_cast<std::size_t>(actions) + static_cast<std::size_t>(action);
}

Counted count_log(const std::vector<LogRow>& log, int states, int actions) {
  const auto pairs = static_cast<std::size_t>(states) * static_cast<std::size_t>(actions);
  Counted out{.states = states,
              .actions = actions,
              .lines = std::vector<double>(pairs, 0.0),
              .cost = std::vector<double>(pairs, 0.0),
              .successors = std::vector<std::map<int, double>>(pairs)};
  for (const LogRow& row : log) {
    const auto pair = pair_of(row.state, actions, row.action);
    out.lines[pair] += 1.0;
    out.cost[pair] += row.cost;
    out.successors[pair][row.next] += 1.0;
  }
  return out;
}

/// The estimated transitions of the pairs that the policy reaches; others stay where they are and are never visited.
FiniteModel estimated_model(const Counted& counted, const std::string& file, const PolicyTable& policy, int start) {
  std::vector<char> reached(static_cast<std::size_t>(counted.states), 0);
  std::vector<int> open = {start};
  reached[static_cast<std::size_t>(start)] = 1;
  while (!open.empty()) {
    const int state = open.back();
    open.pop_back();
    for (int a = 0; a < counted.actions; ++a) {
      const double p = policy.probabilities(state)[static_cast<std::size_t>(a)];
      if (p == 0.0) continue;
      const auto pair = pair_of(state, counted.actions, a);
      if (counted.lines[pair] == 0.0)
        does_not_cover(file, fmt::format("it has no line with action {} in state {}, which the policy takes there with "
                                         "probability {:.3g}",
                                         a, state, p));
      for (const auto& [next, ignored] : counted.successors[pair])
        if (std::exchange(reached[static_cast<std::size_t>(next)], 1) == 0) open.push_back(next);
    }
  }
  FiniteModel model;
  model.name = file;
  model.states = counted.states;
  model.actions = counted.actions;
  model.start = start;
  model.first = {0};
  for (std::size_t pair = 0; pair < counted.lines.size(); ++pair) {
    if (counted.lines[pair] == 0.0) {
      model.next.push_back(start);
      model.probability.push_back(1.0);
      model.cost.push_back(0.0);
    } else {
      for (const auto& [next, times] : counted.successors[pair]) {
        model.next.push_back(next);
        model.probability.push_back(times / counted.lines[pair]);
      }
      model.cost.push_back(counted.cost[pair] / counted.lines[pair]);
    }
    model.first.push_back(static_cast<std::int64_t>(model.next.size()));
  }
  return model;
}

LogEstimate estimate(const std::vector<LogRow>& log, const std::string& file, const Counted& counted,
                     const PolicyTable& policy) {
  const FiniteModel model = estimated_model(counted, file, policy, log.front().state);
  const exact::Evaluation found = exact::evaluate(model, policy.probabilities());
  // Pairs outside what the policy reaches lead to the start, so a second class is a second class of the policy.
  if (!found.unichain())
    does_not_cover(file, "in the logged transitions the policy has several classes of states that it never leaves");
  const exact::ActionValues q = exact::action_values(model, found);
  const auto n = static_cast<double>(log.size());
  LogEstimate out{.gain = found.gain[static_cast<std::size_t>(model.start)]};
  double weights = 0.0, squares = 0.0, on_few = 0.0;
  std::vector<double> ratio(counted.lines.size(), 0.0);
  for (std::size_t pair = 0; pair < ratio.size(); ++pair) {
    const std::size_t state = pair / static_cast<std::size_t>(counted.actions);
    const double time = found.stationary[state] * policy.probabilities()[pair];
    if (counted.lines[pair] == 0.0) continue;
    ratio[pair] = time * n / counted.lines[pair];
    if (counted.lines[pair] < few_lines) on_few += time;
  }
  for (const LogRow& row : log) {
    const auto pair = pair_of(row.state, counted.actions, row.action);
    const double lines = counted.lines[pair];
    const double error = row.cost - out.gain + found.bias[static_cast<std::size_t>(row.next)] - q.value[pair];
    // A pair's own lines are centred at their mean: n / (n - 1) undoes what that takes from the variance.
    out.influence.push_back(ratio[pair] * error * (lines > 1.0 ? std::sqrt(lines / (lines - 1.0)) : 1.0) / n);
    out.weight.push_back(ratio[pair] / n);
    out.value.push_back(found.bias[static_cast<std::size_t>(row.next)]);
    out.leverage.push_back(1.0 / lines);
    weights += ratio[pair];
    squares += ratio[pair] * ratio[pair];
  }
  if (on_few > most_time_on_few)
    does_not_cover(file, fmt::format("the policy spends {:.0f}% of its time on pairs with fewer than {:g} lines",
                                     100.0 * on_few, few_lines));
  check_effective_lines(file, weights, squares, log.size());
  return out;
}

}  // namespace

Comparison evaluate_log(const std::vector<LogRow>& log, const std::string& file, const PolicyTable& policy,
                        const PolicyTable* reference, double alpha) {
  const Counted counted = count_log(log, policy.states(), policy.actions());
  const LogEstimate first = estimate(log, file, counted, policy);
  if (reference == nullptr) return compare_estimates(first, nullptr, "marginalised_ratios", alpha);
  const LogEstimate second = estimate(log, file, counted, *reference);
  return compare_estimates(first, &second, "marginalised_ratios", alpha);
}

}  // namespace politex::inline evaluate
