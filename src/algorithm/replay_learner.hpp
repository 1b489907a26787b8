// EE-Politex on replay: one Q for the current policy on the data of all phases, and a policy whose inverse temperature
// grows (in the spirit of Lazic et al., 2021). The default learner.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/solvers/td_equations.hpp"
#include "politex/value/learner_entry.hpp"
#include "politex/value/replay_values.hpp"
#include "politex/value/transitions.hpp"

namespace politex::inline algorithm {

/// Listed states or cells: values in the model of all transitions.
class CellReplayLearner final : public Learner {
 public:
  /// `masked`: phases say which actions are possible.
  CellReplayLearner(int states, int actions, bool masked = false);

  void learn(const Phase& phase) override;
  /// The values' index I divided by its range over the actions in each state: what the rule's step size refers to.
  std::span<const double> weights() const override { return weights_; }
  std::span<const double> newest() const override { return newest_; }
  Rule rule() const override { return Rule::boltzmann(values_.beta()); }
  bool knows_masks() const override { return masked_; }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

 private:
  void set_weights();
  void add_masks(const Phase& phase);

  int states_, actions_;
  bool masked_;
  std::vector<std::uint8_t> impossible_;  // by pair, as far as was seen; empty without masks
  ReplayValues values_;
  std::vector<double> weights_, newest_;
};

/// Any features: least-squares temporal differences for the current policy on the stored transitions, solved together
/// with the average cost.
class FeatureReplayLearner final : public Learner {
 public:
  FeatureReplayLearner(const FeatureStructure& structure, int actions, std::int64_t buffer, double ridge,
                       const Features* finite);

  void learn(const Phase& phase) override;
  std::span<const double> weights() const override { return weights_; }
  Rule rule() const override { return Rule::boltzmann(eta_); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

  /// The average cost that was solved for last.
  double average() const noexcept { return average_; }

 private:
  void evaluate();
  void set_step();

  FeatureStructure structure_;
  int actions_;
  std::int64_t buffer_, steps_ = 0;
  double ridge_;
  const Features* finite_;
  Transitions data_;
  TdEquations equations_;
  std::vector<double> weights_, solved_, probabilities_;
  double eta_ = 0.0, average_ = 0.0;
};

/// The learner for these features.
std::unique_ptr<Learner> make_replay_learner(const LearnerParts& parts, std::int64_t buffer, double ridge);

/// "auto".
const LearnerEntry& auto_entry();

}  // namespace politex::inline algorithm
