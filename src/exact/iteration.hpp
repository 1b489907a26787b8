// Answers for models whose elimination would take too long: a Krylov method (BiCGSTAB, preconditioned by symmetric
// Gauss-Seidel) for one policy, policy iteration on top of it, and bounds on gains that hold whatever the method did.
#pragma once

#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::exact {

/// For every function h, min (T h - h) <= gain of every state <= max (T h - h), where T is one step of the policy, or
/// of the best actions.
struct GainBounds {
  double low = 0.0, high = 0.0;
  double middle() const noexcept { return 0.5 * (low + high); }
};

struct IteratedEvaluation {
  GainBounds gain;
  std::vector<double> bias;        // 0 at the start state
  std::vector<double> stationary;  // meaningful only if the chain has one recurrent class
  double imbalance = 0.0;          // sum of |mu P - mu|
  int products = 0;                // of a matrix and a vector
};

/// `rows` has the moves of the policy without teleporting. Without `distribution` the stationary one stays empty.
IteratedEvaluation evaluate_by_iteration(const SparseRows& rows, std::span<const double> cost, double teleport,
                                         int start, bool distribution = true);

struct IteratedOptimum {
  GainBounds gain;
  std::vector<double> bias;  // 0 at the start state
  std::vector<int> action;
  int iterations = 0;
};

/// Begins with these actions.
IteratedOptimum optimum_by_iteration(const FiniteModel& model, std::vector<int> actions);

}  // namespace politex::exact
