// Monte-Carlo policy iteration: epsilon-greedy in the Q of the newest phase.
#pragma once

#include <span>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/value/learner_entry.hpp"
#include "politex/value/lsmc.hpp"

namespace politex::inline algorithm {

class GreedyMcLearner final : public Learner {
 public:
  GreedyMcLearner(const FeatureStructure& structure, double ridge, double epsilon);

  void learn(const Phase& phase) override { estimator_.estimate(phase, weights_); }
  std::span<const double> weights() const override { return weights_; }
  Rule rule() const override { return Rule::greedy(epsilon_); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override { to.put(weights_); }
  void restore(ByteReader& from) override { from.get(weights_); }

 private:
  Lsmc estimator_;
  double epsilon_;
  std::vector<double> weights_;
};

const LearnerEntry& greedy_mc_entry();

}  // namespace politex::inline algorithm
