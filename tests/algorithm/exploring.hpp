// Explorers that learn, walked through small models for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "politex/algorithm/exploration.hpp"
#include "politex/algorithm/finite_collector.hpp"
#include "politex/discovery/count_explorer.hpp"
#include "politex/discovery/design_explorer.hpp"
#include "politex/discovery/feature_explorer.hpp"
#include "politex/env/table_environment.hpp"

namespace politex::test {

inline const char* const every_explorer[] = {"learned", "count", "design", "features"};

inline std::unique_ptr<LearningExplorer> make_learning_explorer(const std::string& name, const FiniteModel& model,
                                                                const Features& features) {
  if (name == "design")
    return std::make_unique<DesignExplorer>(features.structure(), model.states, model.actions, model.size);
  if (name == "features")
    return std::make_unique<FeatureExplorer>(features.structure(), model.actions,
                                             FeatureExplorer::Options{.transitions = 100});
  return std::make_unique<CountExplorer>(model.states, model.actions,
                                         name == "count" ? CountExplorer::Value::sum : CountExplorer::Value::goal);
}

/// A walk through a model, one step at a time, that an explorer observes.
class ObservedWalk {
 public:
  ObservedWalk(const FiniteModel& model, const Features& features, std::uint64_t seed)
      : environment_(model), features_(&features), transitions_(seed, Use::environment) {
    state_ = environment_.start(transitions_);
    observation_ = state_;
  }
  Here here() {
    observation_ = state_;
    return {.features = features_, .slot = state_, .state = state_, .observation = {&observation_, 1}};
  }
  /// Valid until the next step.
  Trace step(Action action) {
    pair_ = environment_.model().pair(state_, action);
    state_ = environment_.successor(pair_, transitions_);
    return {
        .pairs = {&pair_, 1}, .last_slot = state_, .features = features_, .listed = {&pair_, 1}, .last_state = state_};
  }
  std::int32_t state() const noexcept { return state_; }

 private:
  TableEnvironment environment_;
  const Features* features_;
  Rng transitions_;
  std::int32_t state_ = 0, pair_ = 0;
  double observation_ = 0.0;
};

/// Plays `segments` of the explorer, each of at most `longest` steps and with its probe.
inline void explore(LearningExplorer& explorer, ObservedWalk& walk, int segments, int longest, Rng& rng) {
  for (int k = 0; k < segments; ++k) {
    explorer.begin_phase();
    explorer.begin(walk.here(), rng);
    for (int t = 0; t < longest; ++t) {
      const auto action = explorer.act(walk.here(), rng);
      if (!action) break;
      explorer.observe(walk.step(*action));
    }
    const auto probe = explorer.probe(walk.here(), rng);
    const Trace trace = walk.step(probe ? *probe : 0);
    explorer.observe(trace);
    explorer.sample(trace);
  }
}

inline std::vector<std::byte> bytes_of(const LearningExplorer& explorer) {
  ByteWriter to;
  explorer.save(to);
  return to.bytes();
}

}  // namespace politex::test
