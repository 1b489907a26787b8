// What a policy costs in the long run, exactly: gain, bias, stationary law, classes. Safe on periodic and multichain
// chains; shares no code with the learners.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/elimination.hpp"

namespace politex::exact {

/// The long run of one policy. A vector has one entry per state.
struct Evaluation {
  std::vector<double> gain;        // mean cost a step when started there
  std::vector<double> bias;        // h = c - g + P h, with mean 0 under the stationary law of every class
  std::vector<double> stationary;  // limit of the time-averaged law from the model's start state
  std::vector<double> class_law;   // stationary law of the state's own class; 0 where the state is transient
  std::vector<int> class_of;       // recurrent class, -1 where the state is transient
  std::vector<std::int64_t> period_of_class;
  int classes = 0;
  std::int64_t period = 1;  // least common multiple over the classes that the start state reaches
  double floor = 0.0;       // moves rarer than this had to be taken as impossible; 0 but for chains beyond all range

  bool unichain() const noexcept { return classes == 1; }
};

/// Evaluates policies of one model. The answer for a policy never depends on what was evaluated before; the plan of
/// elimination is kept between policies that are not deterministic. One object per thread.
class Evaluator {
 public:
  /// Keeps a reference to the model. Throws Error where the model is too large for exact answers.
  explicit Evaluator(const FiniteModel& model);

  /// Throws ConfigError{"policy", ...} where the policy is none.
  Evaluation evaluate(std::span<const double> policy);

 private:
  const Plan& plan_for(std::span<const double> policy, const Chain& chain);
  bool evaluate_wide(const Plan& plan, const Chain& chain, Evaluation& result);
  // -1, or a state that could not be resolved.
  template <class Real>
  int try_evaluate(const Plan& plan, const Chain& chain, Elimination<Real>& elimination, Evaluation& result) const;

  const FiniteModel* model_;
  std::optional<Plan> full_plan_;  // for every policy's support at once
  Plan own_plan_;                  // for the last deterministic policy
  Elimination<double> fast_;
  Elimination<long double> wide_;
};

/// One policy, once.
Evaluation evaluate(const FiniteModel& model, std::span<const double> policy);

/// Q of every pair, as two numbers that are compared in this order where the policy is multichain.
struct ActionValues {
  std::vector<double> gain_after;  // expected gain of the successor
  std::vector<double> value;       // c - gain_after + P h
};

ActionValues action_values(const FiniteModel& model, const Evaluation& evaluation);

/// Expectation of a function of the successor, for every pair; teleporting included.
std::vector<double> expected_next(const FiniteModel& model, std::span<const double> by_state);

}  // namespace politex::exact
