// MDP-OOMD (Wei, Jafarnia-Jahromi, Luo, Sharma, Jain, "Model-free reinforcement learning in infinite-horizon
// average-reward Markov decision processes", ICML 2020, Algorithms 2 and 3): optimistic online mirror descent with the
// log barrier in every state, for ergodic problems. Rewards r = 1 - cost, costs scaled to [0, 1]. After an episode of
// `episode` steps with policy pi, for every state x:
//
//   beta(a) = the mean over visits tau of x, at least 2 N apart, of  1{a_tau = a} (r_tau + ... + r_{tau+N}) / pi(a|x)
//   base    = the minimiser of -<., beta> + D(., base)    D: divergence of (1 / rate) sum_a log 1 / p(a)
//   pi      = the minimiser of -<., beta> + D(., base)    with the new base: beta predicts the next one
//
// A minimiser is 1 / p(a) = 1 / base(a) - rate beta(a) + lambda, with lambda such that p sums to 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct MdpOomdOptions {
  std::int64_t window = 10;   // N
  std::int64_t episode = 30;  // B
  double rate = 0.01;
};

/// p(a) = 1 / (1 / base(a) - gain(a) + lambda), which sums to 1; the gains are not negative. `into` may be `base`.
void barrier_step(std::span<const double> base, std::span<const double> gain, std::span<double> into);

class MdpOomd {
 public:
  using Options = MdpOomdOptions;
  MdpOomd(int states, int actions, const Options& options, const CostScale& scale);

  Action act(const Place& here, Rng& rng);
  void observe(const Place& here, Action action, double cost, const Place& next);
  void interrupt() noexcept { trajectory_.clear(); }
  /// -log pi, so that the Boltzmann rule with step size 1 gives pi.
  std::span<const double> weights() const;
  Rule rule() const { return Rule::boltzmann(1.0); }
  const QTable& policy() const noexcept { return policy_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  struct Visit {
    std::int32_t state = 0, action = 0;
    double reward = 0.0;
  };
  void learn();

  Options options_;
  CostScale scale_;
  QTable policy_, base_;  // probabilities
  std::vector<Visit> trajectory_;
  // Of learn() only.
  QTable gain_;
  std::vector<double> visits_;
  std::vector<std::size_t> free_;  // the next visit that counts
  std::vector<std::int32_t> seen_;
  mutable std::vector<double> weights_;
};

const LearnerEntry& mdp_oomd_entry();

}  // namespace politex::inline baselines
