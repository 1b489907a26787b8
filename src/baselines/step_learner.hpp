// Learners that learn in every step, unlike those of Algorithm 1, whose policy is frozen for a phase. For them a phase
// is a block of steps: what a row of progress.csv, a checkpoint and an exact evaluation refer to.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "politex/algorithm/collector.hpp"
#include "politex/algorithm/learner.hpp"
#include "politex/base/rng.hpp"
#include "politex/base/unknown.hpp"
#include "politex/env/block.hpp"
#include "politex/env/restart_cost.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/value/learner_entry.hpp"

namespace politex::inline baselines {

/// Where the run is: the number of the state (or of the cell, where the features are a partition; else 0), and the slot
/// of `features` that describes it.
struct Place {
  int state = 0;
  const Features* features = nullptr;
  int slot = 0;
};

/// A learner that is called twice in every step. Costs: rewards of the papers are negated costs.
template <class L>
concept StepLearner = requires(L& learner, const L& same, const Place& here, Action action, double cost, Rng& rng,
                               ByteWriter& to, ByteReader& from) {
  { learner.act(here, rng) } -> std::same_as<Action>;
  /// The step from `here` by `action` cost `cost` and led to the second place.
  learner.observe(here, action, cost, here);
  /// The next place is not a consequence of the last action (a time limit): there is no transition to learn from.
  learner.interrupt();
  /// The policy now is rule() applied to psi(x, .) . weights(), up to exploration that the rule cannot express.
  { same.weights() } -> std::convertible_to<std::span<const double>>;
  { same.rule() } -> std::same_as<Rule>;
  same.save(to);
  learner.restore(from);
};

/// What a step learner and its collector are made from, besides the learner's own options.
struct StepParts {
  const TableEnvironment* finite = nullptr;  // walked through by its tables; null: `block` is stepped
  Features features{};                       // of all states of `finite`
  std::unique_ptr<EnvironmentBlock> block{};
  std::unique_ptr<FeatureMap> map{};
  RestartCost restart_cost{};
  const std::atomic<bool>* stop = nullptr;
  FeatureStructure structure{};
  int actions = 0;
  int states = 0;       // listed states, or cells of features that are a partition; else 0
  bool listed = false;  // `states` are listed states
  double lowest_cost = unknown, highest_cost = unknown;  // where the tables of the environment are known
  std::int64_t steps = 0;                                // T
  std::uint64_t seed = 1;
  std::string environment{}, features_name{};  // for messages
};

/// Plays blocks of steps with a learner inside.
class StepCollector : public Collector {
 public:
  /// The learner as the loop over phases and observers see it; valid as long as the collector.
  std::unique_ptr<Learner> learner() const;
  virtual std::span<const double> weights() const = 0;
  virtual Rule rule() const = 0;
  /// The policy is the learner's own, and changes inside the phase.
  void follow(const Rule& /*rule*/, std::span<const double> /*weights*/) final {}
};

/// The number of states of a learner that keeps a table. Throws ConfigError where the features are not a partition.
int table_states(const StepParts& parts, const LearnerEntry& entry);
/// The same for learners that keep a model of the environment: the states must be listed.
int model_states(const StepParts& parts, const LearnerEntry& entry);

/// Costs scaled to [0, 1], as the papers' rewards are.
struct CostScale {
  double lowest = 0.0, range = 1.0;
  double operator()(double cost) const noexcept { return (cost - lowest) / range; }
};
/// Throws ConfigError where the range of costs is not known. A range of 0 becomes 1: all costs are equal.
CostScale cost_scale(const StepParts& parts, const LearnerEntry& entry);

/// The keys of the blocks, the schedule that all step learners have by default, and the check of it.
Keys block_keys();
std::vector<Preset> block_presets();
void check_blocks(const Values& values);

}  // namespace politex::inline baselines
