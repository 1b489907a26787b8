// Optimistic Q-learning (Wei, Jafarnia-Jahromi, Luo, Sharma, Jain, "Model-free reinforcement learning in
// infinite-horizon average-reward Markov decision processes", ICML 2020, Algorithm 1). The paper has rewards in [0, 1];
// here costs are scaled to [0, 1], a reward is 1 - cost and its Q is H - Q. For the n-th visit of (x, a), with H = 1 /
// (1 - discount):
//
//   rate       = (H + 1) / (H + n)
//   Q(x, a)    = (1 - rate) Q(x, a) + rate (c + discount V(x') - bonus sqrt(H / n))
//   Qhat(x, a) = max(Qhat(x, a), Q(x, a)),   V(x) = min_b Qhat(x, b)      Q = Qhat = 0 at first
//
// The policy is greedy in Qhat.
#pragma once

#include <vector>

#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct OptimisticQOptions {
  double discount = 0.99;
  double bonus = 0.1;
};

class OptimisticQ {
 public:
  using Options = OptimisticQOptions;
  OptimisticQ(int states, int actions, const Options& options, const CostScale& scale)
      : options_(options),
        scale_(scale),
        horizon_(1.0 / (1.0 - options.discount)),
        q_(states, actions),
        optimistic_(states, actions),
        visits_(states, actions) {}

  Action act(const Place& here, Rng& rng) { return optimistic_.best(here.state, rng); }
  void observe(const Place& here, Action action, double cost, const Place& next) noexcept;
  void interrupt() noexcept {}
  std::span<const double> weights() const { return optimistic_.weights(); }
  Rule rule() const { return Rule::greedy(0.0); }
  const QTable& q() const noexcept { return optimistic_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Options options_;
  CostScale scale_;
  double horizon_;  // H
  QTable q_, optimistic_, visits_;
};

const LearnerEntry& optimistic_q_entry();

}  // namespace politex::inline baselines
