// Exact long-run quantities of a policy: gain, bias, stationary distribution, classes. Valid for periodic and
// multichain chains; shares no code with the learners.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/chain_solution.hpp"
#include "politex/exact/elimination.hpp"
#include "politex/iterative/gains.hpp"

namespace politex::exact {

/// Evaluates policies of one model. Results do not depend on earlier evaluations; stochastic policies share one
/// elimination plan. One object per thread.
class Evaluator {
 public:
  /// Keeps a reference to the model. Throws Error if the model is too large for exact answers. `show` is called while
  /// an iteration runs.
  explicit Evaluator(const FiniteModel& model, ShowIteration show = {});

  /// Throws ConfigError{"policy", ...} if the policy is not valid. Where double is not enough, wider arithmetic is
  /// used; Evaluation::relative_error is what is left.
  Evaluation evaluate(std::span<const double> policy, Accurate accurate = Accurate::bias);

  /// Whether the elimination of this policy is predicted to take too long.
  bool would_iterate(std::span<const double> policy);

 private:
  struct Task;
  // True if the answer is accurate enough; `resolved` if there is one.
  template <class Real>
  bool try_evaluate(Task& task, Elimination<Real>& elimination, Evaluation& result);
  Evaluation evaluate_iteratively(const Task& task) const;
  const Plan& plan_with_last(const Task& task, const std::vector<int>& last);

  const Plan& plan_of(const Task& task);

  const FiniteModel* model_;
  ShowIteration show_;
  std::optional<Plan> full_plan_;  // valid for every policy
  Plan own_plan_;                  // for the last deterministic policy
  Plan last_plan_;                 // with the states `last_` eliminated last
  std::vector<int> last_;          // empty: last_plan_ is not valid for every policy
  Elimination<double> fast_;
  Elimination<long double> wide_;
  Elimination<Quad> widest_;
};

/// Whether the elimination of a stochastic policy is predicted to take too long.
bool needs_iteration(const FiniteModel& model);

/// Evaluates a single policy.
Evaluation evaluate(const FiniteModel& model, std::span<const double> policy, const ShowIteration& show = {});

/// Q of every pair; for a multichain policy gain_after is compared first.
struct ActionValues {
  std::vector<double> gain_after;               // expected gain of the successor
  std::vector<double> value;                    // c - gain_after + P h
  std::vector<double> gain_error, value_error;  // estimated
};

ActionValues action_values(const FiniteModel& model, const Evaluation& evaluation);

/// Expectation of a function of the successor for every pair, including teleporting.
std::vector<double> expected_next(const FiniteModel& model, std::span<const double> by_state);

}  // namespace politex::exact
