// The values of a policy in the model of all transitions so far, and the policy improved by them, in turn: what the
// replay learner computes after each phase where states are listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/value/phase.hpp"
#include "politex/value/transition_counts.hpp"

namespace politex::inline value {

/// After t steps, with n visits of a pair, its mean cost c, the observed successors P, and R the standard deviation of
/// all costs:
///   Q(x, a) = c + g P V - sd_P(V) / (4 sqrt(n))    where the pair was tried; g = 1 - 1 / max(200, sqrt(t))
///   Q(x, a) = the mean of V over recent visits - 10 R      where it was not
///   V(x) = sum_a pi(a|x) Q(x, a)
///   pi(.|x) proportional to exp(-beta (Q(x, .) - min Q) / range_a Q(x, .))      beta = sqrt(log A t / 100)
/// A constant factor of all costs changes no policy.
class ReplayValues {
 public:
  ReplayValues(int states, int actions);

  /// Adds the transitions of a phase, then evaluates and improves the policy: 20 times at most 5 sweeps.
  void learn(const Phase& phase);

  const TransitionCounts& counts() const noexcept { return counts_; }
  std::int64_t steps() const noexcept { return steps_; }
  /// Q by pair, as evaluated last; 0 in states never seen.
  std::span<const double> q() const noexcept { return q_; }
  std::span<const double> values() const noexcept { return values_; }
  std::span<const double> policy() const noexcept { return policy_; }
  double beta() const;
  double discount() const;
  /// The standard deviation of all costs so far.
  double spread() const;
  double mean_cost(std::int32_t pair) const { return costs_[static_cast<std::size_t>(pair)] / counts_.count(pair); }
  /// The value of a pair that was never tried.
  double untried() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void add(const Phase& phase);
  /// One sweep; the largest minus the smallest change of V.
  double sweep(bool backwards, double untried_value);
  void improve();
  double evaluate(std::int32_t pair) const noexcept;

  TransitionCounts counts_;
  std::vector<double> costs_;   // summed, by pair
  std::vector<double> recent_;  // visits by state, older ones with less weight
  std::vector<double> q_, values_, policy_;
  double sum_ = 0.0, squares_ = 0.0;  // of all costs, measured from the first
  double first_cost_ = 0.0;
  double discount_ = 0.0;
  std::int64_t steps_ = 0;
};

}  // namespace politex::inline value
