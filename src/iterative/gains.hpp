// Gains of large finite environments within bounds: relative value iteration where it converges quickly, else policy
// iteration with BiCGSTAB. For every function h, min (T h - h) <= gain of every state <= max (T h - h), where T is one
// step of the policy, or of the best actions. So the bounds hold whatever the method did.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "politex/base/sparse_rows.hpp"
#include "politex/env/finite_model.hpp"

namespace politex::inline iterative {

struct GainBounds {
  double low = 0.0, high = 0.0;
  double middle() const noexcept { return low + 0.5 * (high - low); }
  double width() const noexcept { return high - low; }
};

/// How far an iteration is.
struct IterationProgress {
  const char* what = "";  // "optimal gain", "gain of the policy", "stationary distribution"
  double width = 0.0, wanted = 0.0;
  GainBounds bounds;          // so far
  std::int64_t products = 0;  // sweeps over the model, and products of a matrix and a vector
};
using ShowIteration = std::function<void(const IterationProgress&)>;

/// Bounds narrower than this, relative to the gain (or absolute for gains below 1), are not improved further.
inline constexpr double narrow_bounds = 1e-10;

struct IteratedPolicy {
  GainBounds gain;                 // of every state
  std::vector<double> bias;        // 0 at the start state
  std::vector<double> stationary;  // meaningful only if the chain has one recurrent class
  double imbalance = 0.0;          // sum of |mu P - mu|
  std::int64_t products = 0;
};

/// `rows` has the moves of the policy without teleporting; their sums are 1. Without `distribution` the stationary one
/// stays empty.
IteratedPolicy iterate_policy(const SparseRows& rows, std::span<const double> cost, double teleport, int start,
                              bool distribution = true, const ShowIteration& show = {});

struct IteratedOptimum {
  GainBounds gain;           // of every state; the policy found has its gains within them too
  std::vector<double> bias;  // 0 at the start state
  std::vector<int> action;
  int improvements = 0;  // policies that were solved for
  std::int64_t products = 0;
};

/// Begins with these actions.
IteratedOptimum iterate_optimum(const FiniteModel& model, std::vector<int> actions, const ShowIteration& show = {});

/// Bytes that both need at most, besides the model.
double iteration_bytes(const FiniteModel& model);

}  // namespace politex::inline iterative
