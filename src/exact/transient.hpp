// What the first state of a segment does to its costs, exactly: the transient parts of the regret's noise terms.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

/// Segments of one policy. Lengths that were asked for before are looked up.
class Transients {
 public:
  Transients(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation);

  /// By first state: the expected cost of so many steps, above the gain: h - P^steps h, summed without h.
  const std::vector<double>& of(std::int64_t steps);

 private:
  Chain chain_;
  std::vector<double> above_;  // c - g
  std::vector<std::pair<std::int64_t, std::vector<double>>> known_;
};

/// The same for one length.
std::vector<double> transient_cost(const FiniteModel& model, std::span<const double> policy,
                                   const Evaluation& evaluation, std::int64_t steps);

/// One long run of a policy from the start state, cut into stretches: each one's expected cost above the gain, given
/// the start state only. The law is stepped until it repeats with the chain's period; from then on it is known.
class ExpectedPath {
 public:
  ExpectedPath(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation);

  /// Of the next `steps` steps.
  double advance(std::int64_t steps);
  std::int64_t steps() const noexcept { return now_; }

 private:
  double sum_up_to(std::int64_t at);
  void step();

  Chain chain_;
  std::vector<double> above_, limit_, law_, next_, before_;  // before_: the law one period ago
  double sum_ = 0.0;                                         // of the expected costs above the gain so far
  std::int64_t period_, now_ = 0, walked_ = 0;
  bool settled_ = false;
  std::vector<double> cycle_;  // the sum at times modulo the period
};

}  // namespace politex::exact
