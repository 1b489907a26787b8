// One update rule, three learners. In costs (a reward of the papers is a negated cost):
//
//   delta  = c - average + discount min_b Q(x', b) - Q(x, a)
//   Q(x,a) = Q(x, a) + alpha delta
//   average = average + average_rate alpha delta
//
// differential_q  discount = 1: differential Q-learning (Wan, Naik, Sutton, "Learning and planning in average-reward
//                 Markov decision processes", ICML 2021); average_rate is its eta.
// centered_q      discount < 1: Q-learning with value-based reward centring (Naik, Wan, Tomar, Sutton, "Reward
//                 centering", RLC 2024).
// q_learning      average_rate = 0, discount < 1: plain discounted Q-learning (Watkins), which everybody knows.
#pragma once

#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct CenteredQOptions {
  double alpha = 0.1;
  double average_rate = 0.0;
  double discount = 1.0;
  double epsilon = 0.1;
};

class CenteredQ {
 public:
  using Options = CenteredQOptions;
  CenteredQ(int states, int actions, const Options& options) : options_(options), q_(states, actions) {}

  Action act(const Place& here, Rng& rng) { return q_.epsilon_greedy(here.state, options_.epsilon, rng); }
  void observe(const Place& here, Action action, double cost, const Place& next) noexcept {
    double& q = q_.at(here.state, action);
    const double delta = cost - average_ + options_.discount * q_.least(next.state) - q;
    q += options_.alpha * delta;
    average_ += options_.average_rate * options_.alpha * delta;
  }
  void interrupt() noexcept {}
  std::span<const double> weights() const { return q_.weights(); }
  Rule rule() const { return Rule::greedy(options_.epsilon); }

  const QTable& q() const noexcept { return q_; }
  double average() const noexcept { return average_; }

  void save(ByteWriter& to) const {
    q_.save(to);
    to.put(average_);
  }
  void restore(ByteReader& from) {
    q_.restore(from);
    from.get_finite(average_, "the average cost");
  }

 private:
  Options options_;
  QTable q_;
  double average_ = 0.0;
};

const LearnerEntry& q_learning_entry();
const LearnerEntry& differential_q_entry();
const LearnerEntry& centered_q_entry();

}  // namespace politex::inline baselines
