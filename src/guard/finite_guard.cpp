#include "politex/guard/finite_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"

namespace politex::inline guard {
namespace {

/// One action per state; throws ConfigError where the policy is random.
std::vector<Action> actions_of(const PolicyTable& policy, const GuardOptions& options) {
  std::vector<Action> actions;
  for (int state = 0; state < policy.states(); ++state) {
    const auto row = policy.probabilities(state);
    const auto sure = std::ranges::find(row, 1.0);
    if (sure == row.end())
      throw ConfigError{"guard.incumbent",
                        fmt::format("\"{}\" is random in state {}; accepted: a policy that takes one "
                                    "action in each state",
                                    options.incumbent, state)};
    actions.push_back(static_cast<Action>(sure - row.begin()));
  }
  return actions;
}

}  // namespace

double FiniteGuard::level(const FiniteModel& base, int state) const {
  const auto x = static_cast<std::size_t>(state);
  if (base.axes.empty()) return state;
  if (options_.coordinate >= 0) return base.axes[static_cast<std::size_t>(options_.coordinate)][x];
  double total = 0.0;
  for (const auto& axis : base.axes) total += axis[x];
  return total;
}

FiniteGuard::FiniteGuard(const FiniteModel& base, const GuardOptions& options, const PolicyTable& incumbent)
    : options_(options), incumbent_(actions_of(incumbent, options)) {
  check_guard(options, std::max(1, static_cast<int>(base.axes.size())), base.name);
  check_takes_possible(base, incumbent.probabilities(), "guard.incumbent", options.incumbent);
  if (base.teleport > 0.0 && options.released_at() < options.limit)
    throw ConfigError{"guard.release", "with environment.teleport the guard has no memory; accepted: guard.limit"};
  find_states(base);
  build(base);
  check_reachable(base);
}

void FiniteGuard::find_states(const FiniteModel& base) {
  copy_of_.assign(static_cast<std::size_t>(base.states), -1);
  for (int x = 0; x < base.states; ++x) {
    base_of_.push_back(x);
    guarded_.push_back(guard_is_on(options_, false, level(base, x)) ? 1 : 0);
  }
  for (int x = 0; x < base.states; ++x) {
    if (guarded_[static_cast<std::size_t>(x)] != 0 || !guard_is_on(options_, true, level(base, x))) continue;
    copy_of_[static_cast<std::size_t>(x)] = static_cast<int>(base_of_.size());
    base_of_.push_back(x);
    guarded_.push_back(1);
  }
}

void FiniteGuard::build(const FiniteModel& base) {
  FiniteModel model = base;
  model.states = static_cast<int>(base_of_.size());
  model.first = {0};
  model.next.clear();
  model.probability.clear();
  model.cost.clear();
  model.possible.clear();
  std::vector<std::uint8_t> possible;
  for (int state = 0; state < model.states; ++state) {
    const int x = base_of_[static_cast<std::size_t>(state)];
    const bool on = guarded_[static_cast<std::size_t>(state)] != 0;
    for (Action a = 0; a < base.actions; ++a) {
      const auto pair = static_cast<std::size_t>(base.pair(x, a));
      for (auto k = static_cast<std::size_t>(base.first[pair]); k < static_cast<std::size_t>(base.first[pair + 1]);
           ++k) {
        const int copy = copy_of_[static_cast<std::size_t>(base.next[k])];
        model.next.push_back(on && copy >= 0 ? copy : base.next[k]);
        model.probability.push_back(base.probability[k]);
      }
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
      model.cost.push_back(base.cost[pair]);
      const bool allowed = !base.masked() || base.possible[pair] != 0;
      possible.push_back(on ? a == incumbent_[static_cast<std::size_t>(x)] : allowed);
    }
  }
  for (auto& axis : model.axes)
    for (auto state = static_cast<std::size_t>(base.states); state < base_of_.size(); ++state)
      axis.push_back(axis[static_cast<std::size_t>(base_of_[state])]);
  if (model.states > base.states) {
    model.structure = nullptr;
    model.layout = Layout::none;
    model.rows_advance = false;
  }
  model_ = with_masks(std::move(model), std::move(possible));
}

void FiniteGuard::check_reachable(const FiniteModel& base) {
  std::vector<char> reached(static_cast<std::size_t>(model_.states), model_.teleport > 0.0 ? 1 : 0);
  std::vector<int> open = {model_.start};
  reached[static_cast<std::size_t>(model_.start)] = 1;
  while (!open.empty()) {
    const int state = open.back();
    open.pop_back();
    const auto begin = static_cast<std::size_t>(model_.first[static_cast<std::size_t>(model_.pair(state, 0))]);
    const auto end = static_cast<std::size_t>(model_.first[static_cast<std::size_t>(model_.pair(state + 1, 0))]);
    for (std::size_t k = begin; k < end; ++k)
      if (std::exchange(reached[static_cast<std::size_t>(model_.next[k])], 1) == 0) open.push_back(model_.next[k]);
  }
  bool ever_off = false;
  for (std::size_t state = 0; state < reached.size(); ++state) {
    if (reached[state] == 0) continue;
    (guarded_[state] != 0 ? ever_on_ : ever_off) = true;
  }
  if (!ever_off)
    throw ConfigError{"guard.limit",
                      fmt::format("{:g}: the guard is always on, because every state that {} reaches is above it; "
                                  "accepted: a larger limit (the level of the start is {:g})",
                                  options_.limit, base.name, level(base, base.start))};
}

PolicyTable FiniteGuard::extended(const PolicyTable& policy) const {
  const auto actions = static_cast<std::size_t>(model_.actions);
  std::vector<double> probabilities(static_cast<std::size_t>(model_.pairs()), 0.0);
  for (std::size_t state = 0; state < base_of_.size(); ++state) {
    const int x = base_of_[state];
    if (guarded_[state] != 0)
      probabilities[state * actions + static_cast<std::size_t>(incumbent_[static_cast<std::size_t>(x)])] = 1.0;
    else
      std::ranges::copy(policy.probabilities(x), probabilities.begin() + static_cast<std::ptrdiff_t>(state * actions));
  }
  PolicyTable table(model_.states, model_.actions);
  table.set(probabilities);
  return table;
}

}  // namespace politex::inline guard
