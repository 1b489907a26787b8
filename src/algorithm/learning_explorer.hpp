// Exploration policies that learn during the run. They are passed every transition and never a cost: no type of this
// interface has one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/environment.hpp"
#include "politex/features/features.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline algorithm {

/// Steps in a row. `pairs` are slot * actions + action of `features`; the slot after the last step is `last_slot`.
/// Where states are listed (or are cells), `listed` has the pairs state * actions + action, and `last_state` the state
/// after the last step.
struct Trace {
  std::span<const std::int32_t> pairs;
  std::int32_t last_slot = 0;
  const Features* features = nullptr;
  std::span<const std::int32_t> listed;
  std::int32_t last_state = 0;
  std::span<const std::uint8_t> truncated = {};  // as in Phase
  std::span<const std::uint8_t> possible = {};   // as in Phase: by slot

  bool was_truncated(std::size_t step) const noexcept { return !truncated.empty() && truncated[step] != 0; }
  std::int32_t slot_after(std::size_t step) const noexcept {
    return step + 1 < pairs.size() ? pairs[step + 1] / features->actions : last_slot;
  }
  std::int32_t state_after(std::size_t step) const noexcept {
    return step + 1 < listed.size() ? listed[step + 1] / features->actions : last_state;
  }
};

/// The present state: a slot of `features`, and its number where states are listed (else -1).
struct Here {
  const Features* features = nullptr;
  std::int32_t slot = 0;
  std::int32_t state = -1;
  std::span<const double> observation;
  std::span<const std::uint8_t> possible = {};  // one flag per action; empty: all are possible
};

struct BestAction {
  Action action = 0;
  double value = -1.0;
};

/// The action with the largest of the values, which are not negative; among those that differ by at most `tie`, a
/// random one.
template <class Value>
BestAction best_action(int actions, double tie, Rng& rng, Value&& value_of) {
  BestAction best;
  std::uint64_t ties = 0;
  for (Action a = 0; a < actions; ++a) {
    const double value = value_of(a);
    if (value > best.value + tie)
      ties = 1;
    else if (value < best.value - tie || rng.below(++ties) != 0)
      continue;
    best = {.action = a, .value = std::max(value, best.value)};
  }
  return best;
}

/// What the schedule may ask an explorer: pairs of states seen so far, those never tried (0 where this is not counted),
/// and the number of features that must be excited.
struct Coverage {
  std::int64_t known = 0, untried = 0, features = 0;
  bool states = false;  // one try of each pair is enough: the pairs are of states, not of cells or features
};

/// What a learning explorer is made from.
struct LearningRequest {
  const Values& values;
  int actions = 0;
  int states = 0;  // listed states, or cells; 0: neither
  int wanted = 1;  // visits of a pair until it counts as tried: more for cells, which are many states
  FeatureStructure structure;
  int size = 0;         // the N of lengths
  bool masked = false;  // traces say which actions are possible
};

class LearningExplorer {
 public:
  LearningExplorer() = default;
  LearningExplorer(const LearningExplorer&) = delete;
  LearningExplorer& operator=(const LearningExplorer&) = delete;
  virtual ~LearningExplorer() = default;

  /// Transitions of anybody, the target policy's too.
  virtual void observe(const Trace& trace) = 0;
  /// Pairs that enter the estimate of Q.
  virtual void sample(const Trace& /*trace*/) {}
  /// A new phase begins: a good moment to plan.
  virtual void begin_phase() {}
  /// A segment begins.
  virtual void begin(const Here& /*here*/, Rng& /*rng*/) {}
  /// The next action; none: the segment ends here, and the probe follows.
  virtual std::optional<Action> act(const Here& here, Rng& rng) = 0;
  /// The action of the probe; none: a uniformly random one.
  virtual std::optional<Action> probe(const Here& /*here*/, Rng& /*rng*/) { return std::nullopt; }
  virtual Coverage coverage() const = 0;

  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

}  // namespace politex::inline algorithm
