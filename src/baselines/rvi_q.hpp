// RVI Q-learning (Abounadi, Bertsekas, Borkar, "Learning algorithms for Markov decision processes with average cost",
// SIAM J. Control Optim. 2001), in costs as in that paper:
//
//   Q(x, a) = Q(x, a) + alpha (c + min_b Q(x', b) - f(Q) - Q(x, a))
//
// f(Q) is the value of a reference pair, or the mean of all values; it converges to the optimal average cost.
#pragma once

#include "politex/baselines/q_table.hpp"
#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct RviQOptions {
  enum class Reference { mean, pair };
  double alpha = 0.1;
  double epsilon = 0.1;
  Reference reference = Reference::mean;
};

class RviQ {
 public:
  using Options = RviQOptions;
  RviQ(int states, int actions, const Options& options) : options_(options), q_(states, actions) {}

  Action act(const Place& here, Rng& rng) { return q_.epsilon_greedy(here.state, options_.epsilon, rng); }
  void observe(const Place& here, Action action, double cost, const Place& next) noexcept {
    if (reference_state_ < 0) {  // the reference is the first pair of the run
      reference_state_ = here.state;
      reference_action_ = action;
    }
    double& q = q_.at(here.state, action);
    const double change = options_.alpha * (cost + q_.least(next.state) - average() - q);
    q += change;
    sum_ += change;
  }
  void interrupt() noexcept {}
  std::span<const double> weights() const { return q_.weights(); }
  Rule rule() const { return Rule::greedy(options_.epsilon); }

  const QTable& q() const noexcept { return q_; }
  /// f(Q)
  double average() const noexcept {
    if (options_.reference == Options::Reference::mean) return sum_ / static_cast<double>(q_.all().size());
    return reference_state_ < 0 ? 0.0 : q_.at(reference_state_, reference_action_);
  }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Options options_;
  QTable q_;
  double sum_ = 0.0;  // of all values
  std::int32_t reference_state_ = -1, reference_action_ = 0;
};

const LearnerEntry& rvi_q_entry();

}  // namespace politex::inline baselines
