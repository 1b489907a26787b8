// Gain, bias and stationary distribution of a chain in one arithmetic, with estimates of their errors.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/elimination.hpp"

namespace politex::exact {

/// What policy iteration compares, one entry per pair, computed before anything is rounded to double: on nearly
/// decomposable chains differences of biases are much smaller than the biases.
struct Advantages {
  std::vector<double> gain, value;              // expected change of the gain; c - g + P h - h
  std::vector<double> gain_error, value_error;  // estimated
  bool decided = false;                         // all errors are small, or smaller than the advantages
};

/// Evaluation::arithmetic of a model that is too large for elimination.
inline constexpr const char* by_iteration = "iteration";

/// Exact evaluation of one policy. Vectors have one entry per state.
struct Evaluation {
  std::vector<double> gain;        // long-run cost per step from this state
  std::vector<double> excess;      // mean cost of a step minus the gain, more accurate than their difference
  std::vector<double> bias;        // h = c - g + P h, with mean 0 under the stationary distribution of every class
  std::vector<double> stationary;  // limit of the time-averaged distribution from the model's start state
  std::vector<double> class_distribution;      // stationary distribution of the state's class; 0 for transient states
  std::vector<double> gain_error, bias_error;  // estimated, from the rounding of the arithmetic
  std::vector<double> bias_unit;  // |excess| plus the mean |excess| of the class: an error of this times 1e-9 is small
  std::vector<int> class_of;      // recurrent class; -1 for transient states
  std::vector<std::int64_t> period_of_class;
  int classes = 0;
  std::int64_t period = 1;      // least common multiple over the classes reachable from the start state
  double floor = 0.0;           // less probable moves were dropped; 0 unless the chain underflows long double
  const char* arithmetic = "";  // in which the answer was found; "iteration": there is no estimate for the bias
  Advantages advantages;        // empty unless Accurate::advantages
  double residual = 0.0;        // largest |h - (c - g + P h)| of the printed numbers, relative to |h| + bias_unit

  bool unichain() const noexcept { return classes == 1; }
  /// By iteration, with bounds on the gain only, because elimination would take too long.
  bool iterated() const noexcept { return std::string_view(arithmetic) == by_iteration; }
  /// Estimated error of the bias relative to |bias| + bias_unit.
  double relative_error(std::size_t state) const noexcept;
  /// The largest of them.
  double relative_error() const noexcept;
};

/// What an evaluation has to get right: gains and distributions alone are much cheaper on nearly decomposable chains.
enum class Accurate { gain, bias, advantages };

/// Biases with a larger relative error are not reported.
inline constexpr double reported_error = 1e-9;

/// Moves and costs of a chain in one arithmetic, with rows that sum to 1.
template <class Real>
struct ChainValues {
  std::vector<Real> move;       // entries of chain.rows
  std::vector<Real> cost;       // by state
  std::vector<Real> cost_size;  // times Arithmetic::epsilon: the error of the cost

  /// `chain` is that of the policy.
  ChainValues(const FiniteModel& model, std::span<const double> policy, const Chain& chain);
};

/// Solves the chain of a policy of `model`. Returns -1, or a state that could not be resolved.
template <class Real>
int solve_chain(const Plan& plan, const Chain& chain, const ChainValues<Real>& values, const Classes& classes,
                const FiniteModel& model, Accurate accurate, Elimination<Real>& elimination, Evaluation& result);

extern template int solve_chain(const Plan&, const Chain&, const ChainValues<double>&, const Classes&,
                                const FiniteModel&, Accurate, Elimination<double>&, Evaluation&);
extern template int solve_chain(const Plan&, const Chain&, const ChainValues<long double>&, const Classes&,
                                const FiniteModel&, Accurate, Elimination<long double>&, Evaluation&);
extern template int solve_chain(const Plan&, const Chain&, const ChainValues<Quad>&, const Classes&, const FiniteModel&,
                                Accurate, Elimination<Quad>&, Evaluation&);
extern template struct ChainValues<double>;
extern template struct ChainValues<long double>;
extern template struct ChainValues<Quad>;

}  // namespace politex::exact
