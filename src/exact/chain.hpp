// The Markov chain that a policy makes of a finite model, and the structure of that chain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// A policy is states * actions probabilities, one row per state. Throws ConfigError{"policy", ...} where it is none.
void check_policy(const FiniteModel& model, std::span<const double> policy);

/// The policy that takes actions[state].
std::vector<double> deterministic_policy(const FiniteModel& model, std::span<const int> actions);
/// The policy that always takes one action.
std::vector<double> always(const FiniteModel& model, Action action);
/// Every action with the same probability.
std::vector<double> uniform_policy(const FiniteModel& model);

/// Transition rows given that the step does not teleport (columns ascending, nothing that is zero) and mean costs.
struct Chain {
  SparseRows rows;
  std::vector<double> cost;
  double teleport = 0.0;

  int states() const noexcept { return rows.rows(); }
};

/// Moves of probability below `floor` are left out.
Chain chain_of(const FiniteModel& model, std::span<const double> policy, double floor = 0.0);

/// Where a chain ends up: of[state] is its recurrent class, numbered by their smallest states, or -1 for a transient
/// one.
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
