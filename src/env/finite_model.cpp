#include "politex/env/finite_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/thresholds.hpp"
#include "politex/env/masks.hpp"

#include "politex/env/entry.hpp"
namespace politex::inline env {
namespace {

std::string pair_name(const FiniteModel& model, int pair) {
  return fmt::format("state {}, action {}", pair / model.actions, pair % model.actions);
}

void check_row(const FiniteModel& model, int pair) {
  const auto begin = static_cast<std::size_t>(model.first[static_cast<std::size_t>(pair)]);
  const auto end = static_cast<std::size_t>(model.first[static_cast<std::size_t>(pair) + 1]);
  double total = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    const double p = model.probability[k];
    if (!(p >= 0.0 && p <= 1.0 + 1e-12))
      throw ConfigError{"transitions", fmt::format("{}: probability {} to state {}; accepted: 0 to 1",
                                                   pair_name(model, pair), p, model.next[k])};
    if (model.next[k] < 0 || model.next[k] >= model.states)
      throw ConfigError{"transitions", fmt::format("{}: successor {}; accepted: 0 to {}", pair_name(model, pair),
                                                   model.next[k], model.states - 1)};
    total += p;
  }
  if (!(std::abs(total - 1.0) <= 1e-9))
    throw ConfigError{"transitions", fmt::format("{}: the probabilities sum to {}; accepted: 1 (to 1e-9)",
                                                 pair_name(model, pair), total)};
}

}  // namespace

void check(const FiniteModel& model) {
  if (model.states < 1) throw ConfigError{"states", fmt::format("{}; accepted: at least 1", model.states)};
  if (model.actions < 1) throw ConfigError{"actions", fmt::format("{}; accepted: at least 1", model.actions)};
  if (model.start < 0 || model.start >= model.states)
    throw ConfigError{"start", fmt::format("{}; accepted: a state, 0 to {}", model.start, model.states - 1)};
  const auto pairs = static_cast<std::size_t>(model.pairs());
  if (model.first.size() != pairs + 1 || model.cost.size() != pairs || model.next.size() != model.probability.size())
    throw ConfigError{"transitions", "the tables have unequal lengths"};
  for (int pair = 0; pair < model.pairs(); ++pair) {
    if (!std::isfinite(model.cost[static_cast<std::size_t>(pair)]))
      throw ConfigError{"costs", fmt::format("{}: {}; accepted: a finite number", pair_name(model, pair),
                                             model.cost[static_cast<std::size_t>(pair)])};
    check_row(model, pair);
  }
  if (model.masked()) check_masks(model);
  for (const auto& axis : model.axes)
    if (axis.size() != static_cast<std::size_t>(model.states))
      throw ConfigError{
          "axes", fmt::format("an axis has {} coordinates; accepted: one per state ({})", axis.size(), model.states)};
}

FiniteModel with_laziness(FiniteModel model, double lazy) {
  if (!(lazy >= 0.0 && lazy < 1.0))
    throw ConfigError{"environment.lazy", fmt::format("{}; accepted: at least 0 and below 1", lazy)};
  if (lazy == 0.0) return model;
  FiniteModel slow = model;
  slow.first = {0};
  slow.next.clear();
  slow.probability.clear();
  for (int pair = 0; pair < model.pairs(); ++pair) {
    slow.next.push_back(pair / model.actions);
    slow.probability.push_back(lazy);
    const auto p = static_cast<std::size_t>(pair);
    for (auto k = static_cast<std::size_t>(model.first[p]); k < static_cast<std::size_t>(model.first[p + 1]); ++k) {
      slow.next.push_back(model.next[k]);
      slow.probability.push_back((1.0 - lazy) * model.probability[k]);
    }
    slow.first.push_back(static_cast<std::int64_t>(slow.next.size()));
  }
  return slow;
}

FiniteModel with_teleport(FiniteModel model, double teleport) {
  if (!(teleport >= 0.0 && teleport <= 1.0))
    throw ConfigError{"environment.teleport", fmt::format("{}; accepted: 0 to 1", teleport)};
  // Two jumps, one after the other, are one: the second only acts where the first did not.
  model.teleport += (1.0 - model.teleport) * teleport;
  return model;
}

int pick_outcome(std::span<const Outcome> outcomes, std::uint64_t draw53) noexcept {
  double cumulative = 0.0;
  for (std::size_t k = 0; k + 1 < outcomes.size(); ++k) {
    cumulative += outcomes[k].probability;
    if (draw53 < threshold53(cumulative)) return static_cast<int>(k);
  }
  return static_cast<int>(outcomes.size()) - 1;
}

namespace {

struct FiniteOptions {
  double teleport = 0.0;
  double lazy = 0.0;
};

}  // namespace

Space finite_space(std::string_view name, int states, int actions, int size) {
  Space space;
  space.name = name;
  space.actions = actions;
  space.states = states;
  space.ranges = {{0.0, states - 1.0}};
  space.own_size = size;
  return space;
}

Keys finite_keys() {
  return {key<&FiniteOptions::teleport>("environment.teleport", "probability of a jump to a uniformly random state",
                                        number(0, 1)),
          key<&FiniteOptions::lazy>(
              "environment.lazy", "probability that the state stays the same; the cost is still c(x,a)", number(0, 1))};
}

FiniteModel with_finite_keys(FiniteModel model, const Values& values) {
  const auto options = read<FiniteOptions>(finite_keys(), values);
  return with_teleport(with_laziness(std::move(model), options.lazy), options.teleport);
}

}  // namespace politex::inline env
