// Least-squares policy iteration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/value/learner_entry.hpp"
#include "politex/value/lspi.hpp"

namespace politex::inline algorithm {

/// Epsilon-greedy in the newest Q.
class LspiLearner final : public Learner {
 public:
  /// `buffer` is the number of transitions kept; `finite` has the features of a finite environment, else null.
  /// `masked`: phases say which actions are possible.
  LspiLearner(const LspiOptions& options, const FeatureStructure& structure, int actions, std::int64_t buffer,
              double epsilon, const Features* finite, bool masked = false);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return weights_; }
  Rule rule() const override { return Rule::greedy(epsilon_); }
  bool knows_masks() const override { return masked_; }
  const Solved* solved() const override { return &lspi_.solved(); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  Lspi lspi_;
  FeatureStructure structure_;
  int actions_;
  std::int64_t buffer_;
  bool masked_;
  Transitions data_;
  double epsilon_;
  const Features* finite_;
  std::vector<double> weights_;
};

const LearnerEntry& lspi_entry();

}  // namespace politex::inline algorithm
