#include "politex/exact/optimum.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "politex/env/masks.hpp"
#include "politex/iterative/gains.hpp"

namespace politex::exact {
namespace {

// Relative differences below this are rounding.
constexpr double rounding = 1e-12;
constexpr int most_iterations = 10'000;

// Improves each state's action in (gain after, value), compared in that order; ties keep the action. What counts as a
// tie depends on the numbers of the two actions only: a huge cost elsewhere hides nothing.
std::vector<int> improved(const FiniteModel& model, const Evaluation& current, const std::vector<int>& actions) {
  const Advantages& q = current.advantages;
  std::vector<int> better = actions;
  for (int x = 0; x < model.states; ++x) {
    for (Action a = 0; a < model.actions; ++a) {
      const int pair = model.pair(x, a), best = model.pair(x, better[x]);
      const double gain = q.gain[pair] - q.gain[best], value = q.value[pair] - q.value[best];
      const double gain_noise = q.gain_error[pair] + q.gain_error[best];
      const double value_noise = q.value_error[pair] + q.value_error[best] + rounding * current.bias_unit[x];
      if (gain < -gain_noise || (gain <= gain_noise && value < -value_noise)) better[x] = a;
    }
  }
  return better;
}

std::vector<char> ties(const FiniteModel& model, const Evaluation& current, const std::vector<int>& actions) {
  constexpr double tie = 1e-9;
  const Advantages& q = current.advantages;
  std::vector<char> tied(static_cast<std::size_t>(model.pairs()), 0);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const int x = pair / model.actions, best = model.pair(x, actions[x]);
    const double gain_noise = q.gain_error[pair] + q.gain_error[best] + tie * std::abs(current.gain_error[x]);
    const double noise = q.value_error[pair] + q.value_error[best] + tie * current.bias_unit[x];
    const bool same =
        std::abs(q.gain[pair] - q.gain[best]) <= gain_noise && std::abs(q.value[pair] - q.value[best]) <= noise;
    tied[pair] = pair == best || same ? 1 : 0;
  }
  return tied;
}

// Value iteration, damped because of periodic chains. It is cheap and leaves policy iteration only a few iterations,
// instead of one per step of distance that values have to propagate.
std::vector<int> first_guess(const FiniteModel& model) {
  constexpr std::size_t work = 40'000'000;
  const std::size_t sweeps = std::min<std::size_t>(2000, work / (model.next.size() + 1));
  std::vector<double> value(model.states, 0.0);
  std::vector<int> actions(model.states, 0);
  std::size_t quiet = 0;  // sweeps since an action changed
  for (std::size_t sweep = 0; sweep < sweeps && quiet < 16 + sweep / 4; ++sweep, ++quiet) {
    const std::vector<double> after = expected_next(model, value);
    for (int x = 0; x < model.states; ++x) {
      int best = actions[x];  // ties keep the action, as below
      const auto q = [&](Action a) { return model.cost[model.pair(x, a)] + after[model.pair(x, a)]; };
      for (Action a = 0; a < model.actions; ++a) {
        if (q(a) < q(best)) best = a;
      }
      if (best != actions[x]) quiet = 0;
      actions[x] = best;
      value[x] = 0.5 * (value[x] + q(best));
    }
  }
  return actions;
}

// Whether the actions of every state are names of one: then there is nothing to choose, whatever rounding hides.
bool without_choice(const FiniteModel& model) {
  const auto same = [&](int a, int b) {
    const auto outcomes = [&](const auto& of, int pair) {
      return std::span(of).subspan(static_cast<std::size_t>(model.first[pair]),
                                   static_cast<std::size_t>(model.first[pair + 1] - model.first[pair]));
    };
    return model.cost[a] == model.cost[b] && std::ranges::equal(outcomes(model.next, a), outcomes(model.next, b)) &&
           std::ranges::equal(outcomes(model.probability, a), outcomes(model.probability, b));
  };
  for (int pair = 0; pair < model.pairs(); ++pair)
    if (!same(pair, pair - pair % model.actions)) return false;
  return true;
}

// Improvement makes no state worse and some state better in (gain, bias); otherwise the differences are rounding.
bool progressed(const Evaluation& before, const Evaluation& after) {
  for (std::size_t x = 0; x < before.gain.size(); ++x) {
    if (after.gain[x] < before.gain[x] || after.bias[x] < before.bias[x]) return true;
  }
  return false;
}

Optimum optimum_of_names(const FiniteModel& model, const ShowIteration& show) {
  Evaluator evaluator(model);
  std::vector<int> actions = first_guess(model);
  const auto evaluated = [&](const std::vector<int>& chosen) {
    return evaluator.evaluate(deterministic_policy(model, chosen), Accurate::advantages);
  };
  Evaluation current;
  if (evaluator.would_iterate(deterministic_policy(model, actions)))
    current.arithmetic = by_iteration;
  else
    current = evaluated(actions);
  for (int iterations = 1; iterations <= most_iterations && !current.iterated(); ++iterations) {
    std::vector<int> better = improved(model, current, actions);
    bool done = better == actions;
    if (!done) {
      Evaluation next = evaluated(better);
      if (next.iterated()) break;
      done = !progressed(current, next);
      if (!done) {
        current = std::move(next);
        actions = std::move(better);
      }
    }
    if (!done) continue;
    std::vector<char> tied = ties(model, current, actions);
    return {.gain = std::move(current.gain),
            .gain_error = std::move(current.gain_error),
            .bias = std::move(current.bias),
            .action = std::move(actions),
            .tied = std::move(tied),
            .iterations = iterations,
            .certain = current.advantages.decided || without_choice(model)};
  }
  // Elimination would take too long, or rounding hides which of two policies is better.
  IteratedOptimum found = iterate_optimum(model, std::move(actions), show);
  const auto states = static_cast<std::size_t>(model.states);
  std::vector<char> tied(static_cast<std::size_t>(model.pairs()), 0);
  for (int x = 0; x < model.states; ++x) tied[model.pair(x, found.action[x])] = 1;
  return {.gain = std::vector<double>(states, found.gain.middle()),
          .gain_error = std::vector<double>(states, 0.5 * found.gain.width()),
          .bias = std::move(found.bias),
          .action = std::move(found.action),
          .tied = std::move(tied),
          .iterations = found.improvements,
          .iterated = true};
}

}  // namespace

Optimum optimum(const FiniteModel& model, const ShowIteration& show) {
  Optimum best = optimum_of_names(model, show);
  if (!model.masked()) return best;
  // A masked action is another name of a possible one: what holds of the name holds of the action.
  for (int x = 0; x < model.states; ++x) {
    best.action[x] = possible_action(model, x, best.action[x]);
    for (Action a = 0; a < model.actions; ++a) {
      if (model.possible[model.pair(x, a)] != 0) continue;
      if (best.tied[model.pair(x, a)] != 0) best.tied[model.pair(x, possible_action(model, x, a))] = 1;
      best.tied[model.pair(x, a)] = 0;
    }
  }
  return best;
}

std::vector<double> tied_policy(const FiniteModel& model, const Optimum& optimum) {
  std::vector<double> policy(optimum.tied.begin(), optimum.tied.end());
  for (int x = 0; x < model.states; ++x) {
    double count = 0.0;
    for (Action a = 0; a < model.actions; ++a) count += policy[model.pair(x, a)];
    for (Action a = 0; a < model.actions; ++a) policy[model.pair(x, a)] /= count;
  }
  return policy;
}

std::vector<double> extreme_policy(const FiniteModel& model, const Optimum& optimum, bool last) {
  std::vector<int> actions(static_cast<std::size_t>(model.states), -1);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    int& action = actions[static_cast<std::size_t>(pair / model.actions)];
    if (optimum.tied[pair] != 0 && (last || action < 0)) action = pair % model.actions;
  }
  return deterministic_policy(model, actions);
}

double optimal_gain(const FiniteModel& model) { return optimum(model).gain[model.start]; }

}  // namespace politex::exact
