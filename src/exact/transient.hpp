// The exact effect of a segment's first state on its costs: the transient parts of the noise terms of the regret.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"

namespace politex::exact {

/// Expected transient costs of segments of one policy, cached by length.
class Transients {
 public:
  Transients(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation);

  /// The expected cost of `steps` steps minus steps * gain, by first state: h - P^steps h, computed without h.
  const std::vector<double>& of(std::int64_t steps);

 private:
  Chain chain_;
  std::vector<double> above_;  // c - g; its partial sums are small where h, the whole sum, is huge
  std::vector<std::pair<std::int64_t, std::vector<double>>> known_;
};

/// The same for one length.
std::vector<double> transient_cost(const FiniteModel& model, std::span<const double> policy,
                                   const Evaluation& evaluation, std::int64_t steps);

/// One long run of a policy from the start state, split into consecutive segments: the expected cost of each above the
/// gain, given only the start state. The state distribution is iterated until it repeats with the chain's period.
class ExpectedPath {
 public:
  ExpectedPath(const FiniteModel& model, std::span<const double> policy, const Evaluation& evaluation);

  /// Expected cost above the gain of the next `steps` steps.
  double advance(std::int64_t steps);
  std::int64_t steps() const noexcept { return now_; }

 private:
  double sum_up_to(std::int64_t at);
  void step();

  Chain chain_;
  std::vector<double> above_, limit_, distribution_, next_, before_;  // before_: the distribution one period ago
  double sum_ = 0.0;                                                  // of the expected costs above the gain so far
  std::int64_t period_, now_ = 0, walked_ = 0;
  bool settled_ = false;
  std::vector<double> cycle_;  // the sum at times modulo the period
};

}  // namespace politex::exact
