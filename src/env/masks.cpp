#include "politex/env/masks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::inline env {
namespace {

std::span<const std::uint8_t> masks_of(const FiniteModel& model, int state) {
  return std::span(model.possible)
      .subspan(static_cast<std::size_t>(model.pair(state, 0)), static_cast<std::size_t>(model.actions));
}

}  // namespace

Action possible_action(std::span<const std::uint8_t> possible, Action action) noexcept {
  if (possible[static_cast<std::size_t>(action)] != 0) return action;
  return static_cast<Action>(std::ranges::find_if(possible, [](std::uint8_t one) { return one != 0; }) -
                             possible.begin());
}

void check_masks(const FiniteModel& model) {
  if (model.possible.size() != static_cast<std::size_t>(model.pairs()))
    throw ConfigError{"masked", fmt::format("{} flags; accepted: one per state and action ({})", model.possible.size(),
                                            model.pairs())};
  for (int state = 0; state < model.states; ++state)
    if (std::ranges::all_of(masks_of(model, state), [](std::uint8_t one) { return one == 0; }))
      throw ConfigError{"masked",
                        fmt::format("no action is possible in state {}; accepted: at least one per state", state)};
}

FiniteModel with_masks(FiniteModel model, std::vector<std::uint8_t> possible) {
  if (std::ranges::all_of(possible, [](std::uint8_t one) { return one != 0; }) &&
      possible.size() == static_cast<std::size_t>(model.pairs()))
    return model;
  model.possible = std::move(possible);
  check_masks(model);
  const std::vector<std::int64_t> first = std::exchange(model.first, {0});
  const std::vector<std::int32_t> next = std::exchange(model.next, {});
  const std::vector<double> probability = std::exchange(model.probability, {});
  const std::vector<double> cost = model.cost;
  for (int state = 0; state < model.states; ++state)
    for (Action a = 0; a < model.actions; ++a) {
      const auto from = static_cast<std::size_t>(model.pair(state, possible_action(model, state, a)));
      const auto begin = static_cast<std::ptrdiff_t>(first[from]), end = static_cast<std::ptrdiff_t>(first[from + 1]);
      model.next.insert(model.next.end(), next.begin() + begin, next.begin() + end);
      model.probability.insert(model.probability.end(), probability.begin() + begin, probability.begin() + end);
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
      model.cost[static_cast<std::size_t>(model.pair(state, a))] = cost[from];
    }
  return model;
}

void check_takes_possible(const FiniteModel& model, std::span<const double> probabilities, const std::string& key,
                          std::string_view policy) {
  if (!model.masked()) return;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    if (model.possible[at] != 0 || probabilities[at] == 0.0) continue;
    std::vector<int> accepted;
    for (Action a = 0; a < model.actions; ++a)
      if (masks_of(model, pair / model.actions)[static_cast<std::size_t>(a)] != 0) accepted.push_back(a);
    throw ConfigError{key, fmt::format("\"{}\" takes action {} in state {} of {} with probability {:.3g}, and it is "
                                       "masked there; accepted: {}",
                                       policy, pair % model.actions, pair / model.actions, model.name,
                                       probabilities[at], fmt::join(accepted, ", "))};
  }
}

void move_to_possible(const FiniteModel& model, std::span<double> probabilities) noexcept {
  if (!model.masked()) return;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    if (model.possible[at] != 0) continue;
    const Action to = possible_action(model, pair / model.actions, pair % model.actions);
    probabilities[static_cast<std::size_t>(model.pair(pair / model.actions, to))] +=
        std::exchange(probabilities[at], 0.0);
  }
}

}  // namespace politex::inline env
