// Randomised least-squares value iteration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/base/rng.hpp"
#include "politex/value/learner_entry.hpp"
#include "politex/value/rlsvi.hpp"

namespace politex::inline algorithm {

/// Greedy in a new posterior sample every phase; in the first phase the posterior is the prior.
class RlsviLearner final : public Learner {
 public:
  /// `buffer` is the number of transitions kept. `start` has the features of the start state, one row per action;
  /// `finite` those of all states of a finite environment, else null. `possible` are flags of the start state's
  /// actions; empty: there are no masks.
  RlsviLearner(const RlsviOptions& options, const FeatureStructure& structure, std::int64_t buffer, Features start,
               const Features* finite, std::uint64_t seed, std::vector<std::uint8_t> possible = {});

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return sample_; }
  Rule rule() const override { return Rule::greedy(0.0); }
  bool knows_masks() const override { return !possible_.empty(); }
  const Solved* solved() const override { return &rlsvi_.solved(); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  void sample_prior();

  Rlsvi rlsvi_;
  FeatureStructure structure_;
  std::int64_t buffer_;
  Transitions data_;
  Features start_;
  std::vector<std::uint8_t> possible_;
  const Features* finite_;
  Rng rng_;
  double prior_deviation_;
  std::vector<double> sample_;
};

const LearnerEntry& rlsvi_entry();

}  // namespace politex::inline algorithm
