// Differential semi-gradient Sarsa(lambda) (Sutton and Barto, "Reinforcement learning", 2nd edition, section 10.3; with
// accumulating traces as in chapter 12), for any feature map. In costs (the book's rewards are negated costs), with a'
// the action that is taken next:
//
//   delta   = c - average + w.psi(x', a') - w.psi(x, a)
//   average = average + average_rate alpha delta
//   w       = w + alpha / k delta z           k: nonzero features of (x, a), the number of tilings for tile coding
//   z       = lambda z + psi(x', a')
#pragma once

#include <cstdint>
#include <vector>

#include "politex/baselines/step_learner.hpp"

namespace politex::inline baselines {

struct DifferentialSarsaOptions {
  double alpha = 0.1;
  double average_rate = 0.1;
  double lambda = 0.0;
  double epsilon = 0.1;
};

class DifferentialSarsa {
 public:
  using Options = DifferentialSarsaOptions;
  DifferentialSarsa(int dimension, int actions, const Options& options);

  /// Chooses a', which completes the step that observe() was called for.
  Action act(const Place& here, Rng& rng);
  void observe(const Place& here, Action action, double cost, const Place& next);
  /// Forgets the trace and the step that waits for its next action.
  void interrupt();
  std::span<const double> weights() const { return weights_; }
  Rule rule() const { return Rule::greedy(options_.epsilon); }
  double average() const noexcept { return average_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Action choose(const Place& here, Rng& rng);
  void learn(double next_value);
  void mark(const FeatureRow& psi);

  Options options_;
  int actions_;
  std::vector<double> weights_;
  double average_ = 0.0;
  std::vector<double> trace_;          // z, by weight
  std::vector<std::int32_t> nonzero_;  // weights with z != 0; what falls below 1e-8 becomes 0
  std::vector<std::int32_t> columns_;  // psi(x, a): of the step that is not complete
  std::vector<double> entries_;
  double cost_ = 0.0;
  bool waiting_ = false;
  std::vector<double> q_;
};

const LearnerEntry& differential_sarsa_entry();

}  // namespace politex::inline baselines
