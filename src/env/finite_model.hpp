// A finite environment as flat tables: what the fast path walks through and what the exact answers are computed from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/env/environment.hpp"

namespace politex::inline env {

struct ProblemStructure;

/// How pictures place the states: states 0, 1, ... from left to right, or row * size + column.
enum class Layout { none, line, grid };

/// Pairs (state, action) are numbered state * actions + action. With probability `teleport` a step jumps to a uniformly
/// random state for every action; otherwise the next state is one of the outcomes (which include laziness). The cost is
/// always c(x, a).
struct FiniteModel {
  std::string name;
  int states = 0;
  int actions = 0;
  int start = 0;
  int size = 0;  // the environment's own size, for lengths such as "3N/4"
  double teleport = 0.0;
  std::vector<std::int64_t> first;     // pair -> its first outcome; pairs + 1 entries
  std::vector<std::int32_t> next;      // outcome -> successor
  std::vector<double> probability;     // outcome -> probability; each pair's sum to 1
  std::vector<double> cost;            // pair -> cost
  std::vector<std::vector<int>> axes;  // coordinates for additive features: axes[k][state]; empty where there are none

  Layout layout = Layout::none;
  bool rows_advance = false;                            // the state moves to the next of `size` rows in every step
  std::shared_ptr<const ProblemStructure> structure{};  // what rules of thumb decide by; empty where there is nothing
  std::vector<std::uint8_t> possible{};                 // pair -> 1: the action is possible (masks.hpp); empty: all are

  int pairs() const noexcept { return states * actions; }
  int pair(int state, Action action) const noexcept { return state * actions + action; }
  /// Whether some action is impossible in some state.
  bool masked() const noexcept { return !possible.empty(); }
  /// Every pair has one outcome and nothing teleports.
  bool deterministic() const noexcept { return teleport == 0.0 && next.size() == static_cast<std::size_t>(pairs()); }
};

/// Throws ConfigError naming the entry: sizes, indices, probabilities in [0, 1] that sum to 1 (1e-9), finite costs.
void check(const FiniteModel& model);

/// With this probability the state stays; the cost is still c(x, a).
FiniteModel with_laziness(FiniteModel model, double lazy);
/// With this probability a step jumps to a uniformly random state.
FiniteModel with_teleport(FiniteModel model, double teleport);

/// Position in `probabilities` that a draw of 53 bits falls on. Both the environments and their tables sample with this
/// rule.
int pick_outcome(std::span<const Outcome> outcomes, std::uint64_t draw53) noexcept;

/// The tables of a finite environment.
template <FiniteEnvironment E>
FiniteModel compile(const E& environment, const std::string& name, int size, int start) {
  FiniteModel model{.name = name,
                    .states = environment.states(),
                    .actions = environment.actions(),
                    .start = start,
                    .size = size,
                    .teleport = 0.0,
                    .first = {0},
                    .next = {},
                    .probability = {},
                    .cost = {},
                    .axes = {}};
  std::vector<Outcome> outcomes;
  for (int x = 0; x < model.states; ++x) {
    for (Action a = 0; a < model.actions; ++a) {
      outcomes.clear();
      environment.outcomes(x, a, outcomes);
      for (const Outcome& outcome : outcomes) {
        model.next.push_back(outcome.next);
        model.probability.push_back(outcome.probability);
      }
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
      model.cost.push_back(environment.cost(x, a));
    }
  }
  check(model);
  return model;
}

}  // namespace politex::inline env
