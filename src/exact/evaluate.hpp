// Exact long-run quantities of a policy: gain, bias, stationary distribution, classes. Valid for periodic and
// multichain chains; shares no code with the learners.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/elimination.hpp"

namespace politex::exact {

/// Exact evaluation of one policy. Vectors have one entry per state.
struct Evaluation {
  std::vector<double> gain;        // long-run cost per step from this state
  std::vector<double> bias;        // h = c - g + P h, with mean 0 under the stationary distribution of every class
  std::vector<double> stationary;  // limit of the time-averaged distribution from the model's start state
  std::vector<double> class_distribution;  // stationary distribution of the state's class; 0 for transient states
  std::vector<int> class_of;               // recurrent class; -1 for transient states
  std::vector<std::int64_t> period_of_class;
  int classes = 0;
  std::int64_t period = 1;  // least common multiple over the classes reachable from the start state
  double floor = 0.0;       // less probable moves were dropped; 0 unless the chain underflows long double

  bool unichain() const noexcept { return classes == 1; }
};

/// Evaluates policies of one model. Results do not depend on earlier evaluations; stochastic policies share one
/// elimination plan. One object per thread.
class Evaluator {
 public:
  /// Keeps a reference to the model. Throws Error if the model is too large for exact answers.
  explicit Evaluator(const FiniteModel& model);

  /// Throws ConfigError{"policy", ...} if the policy is not valid.
  Evaluation evaluate(std::span<const double> policy);

 private:
  const Plan& plan_for(std::span<const double> policy, const Chain& chain);
  bool evaluate_wide(const Plan& plan, const Chain& chain, Evaluation& result);
  // -1, or a state that could not be resolved.
  template <class Real>
  int try_evaluate(const Plan& plan, const Chain& chain, Elimination<Real>& elimination, Evaluation& result) const;

  const FiniteModel* model_;
  std::optional<Plan> full_plan_;  // valid for every policy
  Plan own_plan_;                  // for the last deterministic policy
  Elimination<double> fast_;
  Elimination<long double> wide_;
};

/// Evaluates a single policy.
Evaluation evaluate(const FiniteModel& model, std::span<const double> policy);

/// Q of every pair; for a multichain policy gain_after is compared first.
struct ActionValues {
  std::vector<double> gain_after;  // expected gain of the successor
  std::vector<double> value;       // c - gain_after + P h
};

ActionValues action_values(const FiniteModel& model, const Evaluation& evaluation);

/// Expectation of a function of the successor for every pair, including teleporting.
std::vector<double> expected_next(const FiniteModel& model, std::span<const double> by_state);

}  // namespace politex::exact
