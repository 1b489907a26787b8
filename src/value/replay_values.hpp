// The values of a policy in the model of all transitions so far, and the policy improved by them, in turn: what the
// replay learner computes after each phase where states are listed.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/value/phase.hpp"
#include "politex/value/replay_model.hpp"
#include "politex/value/transition_counts.hpp"

namespace politex::inline value {

/// After t steps, with R the standard deviation of all costs:
///   Q(x, a) = c + g P V        for a pair that was tried n times: mean cost c, observed successors P;
///                              g = 1 - 1 / max(300, t^0.4)
///   Q(x, a) = m - max(0, m - u) / j      for one that was not, where j >= 1 actions of x were: m is their least Q and
///                              u = (the mean of V over recent visits) - 3 R; the chance that one more of exchangeable
///                              actions is the best falls like 1 / j. Where none was tried, Q = u
///   I(x, a) = Q(x, a) - sqrt(s^2 / n + s_x^2 / n^2)      where it was tried, else Q: s^2 is the variance of
///                              c + g V(next) in the n samples of the pair, s_x^2 that in the samples of its state
///   pi(.|x) proportional to exp(-beta (I(x, .) - min I) / range_a I(x, .))      beta = sqrt(log A t / 100)
///   V(x) = sum_a pi(a|x) Q(x, a)
/// I is used where the action is chosen and nowhere else: what is uncertain attracts a policy that is there, and no
/// policy from elsewhere. A constant factor of all costs changes no policy.
class ReplayValues {
 public:
  /// `masked`: phases say which actions are possible; the others have no part in V and the policy.
  ReplayValues(int states, int actions, bool masked = false);

  /// Adds the transitions of a phase, then evaluates and improves the policy in turn. The work is bounded by the steps
  /// of the phase; what did not settle settles after later phases.
  void learn(const Phase& phase);

  const TransitionCounts& counts() const noexcept { return counts_; }
  std::int64_t steps() const noexcept { return steps_; }
  /// Q by pair, as evaluated last; 0 in states never seen.
  std::span<const double> q() const noexcept { return q_; }
  /// I by pair, which the policy is Boltzmann in.
  std::span<const double> index() const noexcept { return index_; }
  std::span<const double> values() const noexcept { return values_; }
  std::span<const double> policy() const noexcept { return policy_; }
  /// The least and the largest I of the possible actions of a state.
  std::pair<double, double> range_of_index(std::int32_t state) const;
  double beta() const;
  double discount() const;
  /// The standard deviation of all costs so far.
  double spread() const;
  double mean_cost(std::int32_t pair) const { return costs_[static_cast<std::size_t>(pair)] / counts_.count(pair); }
  /// u: the value of a state in which nothing was tried.
  double untried() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void add(const Phase& phase);
  void add_masks(const Phase& phase);
  bool is_masked(std::size_t pair) const noexcept { return !masked_.empty() && masked_[pair] != 0; }
  /// Improves the policy and evaluates it, state by state; the largest minus the smallest change of V.
  double improve(bool backwards);
  /// One sweep of V for the policy as it is, over the pairs that it takes; the same difference.
  double evaluate(bool backwards);
  /// V(x) = value_of(row, the state's first pair) in every state.
  double sweep(bool backwards, auto&& value_of);
  /// Q and I of the state, and its new policy; the new V.
  double improve_state(std::size_t row, std::size_t first_pair, double untried_value, double step);

  TransitionCounts counts_;
  std::vector<double> costs_;         // summed, by pair
  std::vector<double> cost_scatter_;  // squared differences from the pair's mean, summed
  std::vector<double> recent_;        // visits by state, older ones with less weight
  std::vector<double> q_, index_, values_, policy_;
  std::vector<std::uint8_t> masked_;  // by pair: 1 where the action is impossible; empty: without masks
  double sum_ = 0.0, squares_ = 0.0;  // of all costs, measured from the first
  double first_cost_ = 0.0;
  double discount_ = 0.0;
  std::int64_t steps_ = 0;
  // Rebuilt after each phase.
  ReplayModel model_;
};

}  // namespace politex::inline value
