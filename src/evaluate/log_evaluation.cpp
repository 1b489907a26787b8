#include "politex/evaluate/log_evaluation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/statistics.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::inline evaluate {
namespace {

/// Pairs with fewer lines say little about where they lead; they may carry a small share of the policy's time only.
constexpr int few_lines = 5;
constexpr double most_time_on_few = 0.05;
constexpr double fewest_effective_lines = 100.0;

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

[[noreturn]] void does_not_cover(const std::string& file, const std::string& why) {
  throw ConfigError{"--log", fmt::format("{} does not cover the policy: {}; accepted: a log in which every action that "
                                         "the policy takes was taken there too",
                                         file, why)};
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

/// The estimate, and by how much every line moves it.
struct Estimated {
  double gain = 0.0;
  std::vector<double> influence;
};

Estimated estimate(const std::vector<LogRow>& log, const std::string& file, const Counted& counted,
                   const PolicyTable& policy) {
  const FiniteModel model = estimated_model(counted, file, policy, log.front().state);
  const exact::Evaluation found = exact::evaluate(model, policy.probabilities());
  // Pairs outside what the policy reaches lead to the start, so a second class is a second class of the policy.
  if (!found.unichain())
    does_not_cover(file, "in the logged transitions the policy has several classes of states that it never leaves");
  const exact::ActionValues q = exact::action_values(model, found);
  const auto n = static_cast<double>(log.size());
  Estimated out{.gain = found.gain[static_cast<std::size_t>(model.start)], .influence = {}};
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
    weights += ratio[pair];
    squares += ratio[pair] * ratio[pair];
  }
  if (on_few > most_time_on_few)
    does_not_cover(file, fmt::format("the policy spends {:.0f}% of its time on pairs with fewer than {} lines",
                                     100.0 * on_few, few_lines));
  if (const double effective = weights * weights / squares; effective < fewest_effective_lines)
    does_not_cover(file, fmt::format("its {} lines are worth {:.0f} lines of the policy itself; at least {:.0f} are "
                                     "needed",
                                     log.size(), effective, fewest_effective_lines));
  return out;
}

Interval around(double mean, const std::vector<double>& influence, double alpha) {
  double variance = 0.0;
  for (const double each : influence) variance += each * each;
  const double half = student_quantile(1.0 - 0.5 * alpha, static_cast<double>(influence.size())) * std::sqrt(variance);
  return {mean, mean - half, mean + half};
}

AverageCost average_of_log(const Estimated& estimated, double alpha) {
  return {.interval = around(estimated.gain, estimated.influence, alpha),
          .steps = static_cast<std::int64_t>(estimated.influence.size()),
          .method = "marginalised_ratios",
          .refusal = {}};
}

}  // namespace

Comparison evaluate_log(const std::vector<LogRow>& log, const std::string& file, const PolicyTable& policy,
                        const PolicyTable* reference, double alpha) {
  const Counted counted = count_log(log, policy.states(), policy.actions());
  const Estimated first = estimate(log, file, counted, policy);
  Comparison out{.policy = average_of_log(first, alpha)};
  if (reference == nullptr) return out;
  const Estimated second = estimate(log, file, counted, *reference);
  out.reference = average_of_log(second, alpha);
  std::vector<double> paired(first.influence.size());
  for (std::size_t t = 0; t < paired.size(); ++t) paired[t] = first.influence[t] - second.influence[t];
  Difference difference{.interval = around(first.gain - second.gain, paired, alpha), .refusal = {}};
  difference.verdict = difference.interval.high < 0.0  ? Verdict::better
                       : difference.interval.low > 0.0 ? Verdict::worse
                                                       : Verdict::not_yet;
  out.difference = difference;
  return out;
}

}  // namespace politex::inline evaluate
