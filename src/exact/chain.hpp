// The Markov chain of a policy in a finite model, and its structure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// Throws ConfigError{"policy", ...} unless `policy` has states * actions probabilities, one row per state.
void check_policy(const FiniteModel& model, std::span<const double> policy);

/// The policy that takes actions[state].
std::vector<double> deterministic_policy(const FiniteModel& model, std::span<const int> actions);
/// The policy that always takes one action.
std::vector<double> always(const FiniteModel& model, Action action);
/// The policy that takes every possible action with the same probability.
std::vector<double> uniform_policy(const FiniteModel& model);

/// Transition rows given that the step does not teleport (columns ascending, no zeros) and mean costs.
struct Chain {
  SparseRows rows;
  std::vector<double> cost;
  double teleport = 0.0;

  int states() const noexcept { return rows.rows(); }
};

/// Builds the chain of a policy, without moves of probability below `floor`.
Chain chain_of(const FiniteModel& model, std::span<const double> policy, double floor = 0.0);

/// Recurrent classes, numbered in the order of their smallest states; of[state] is -1 for a transient state.
struct Classes {
  int count = 0;
  std::vector<int> of;
};

Classes recurrent_classes(const Chain& chain);

/// The period of every recurrent class.
std::vector<std::int64_t> periods(const Chain& chain, const Classes& classes);

/// Strongly connected components of a graph, numbered so that edges lead to equal or smaller numbers.
std::vector<int> strong_components(const SparseRows& graph);

}  // namespace politex::exact
