// Data collection, Algorithm 1's CollectData: walks through one phase of the environment. One face for the compiled
// tables of finite worlds and for any other environment; called once a phase.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/politex/learner.hpp"
#include "politex/value/phase.hpp"

namespace politex {

/// Who chose an action.
enum class By { explorer, probe, target };

class Collector {
 public:
  virtual ~Collector() = default;
  /// Freezes the target policy for the phases to come.
  virtual void follow(const Rule& rule, std::span<const double> weights) = 0;
  /// Plays `steps` steps of a phase, from where the last one ended. What it returns is valid until the next call.
  Phase collect(const Lengths& lengths, std::int64_t steps) { return play(lengths, 0, steps); }
  /// The same in parts: where `played` is above 0, so many steps of this phase were played by the last call (or read by
  /// restore_phase) and are part of what it returns. The phase is shorter than asked for where failure() tells why, or
  /// where the collector was told to stop.
  virtual Phase play(const Lengths& lengths, std::int64_t played, std::int64_t steps) = 0;
  /// What ended the last part before its time.
  virtual std::exception_ptr failure() const { return nullptr; }
  virtual FeatureStructure structure() const = 0;
  /// The feature row of an observation (the index of a state where they are finite), replicated per action. Throws
  /// Error where features are not a function of what is shown.
  virtual void describe(std::span<const double> /*observation*/, SparseRows& /*into*/) const {
    throw Error("these features cannot be computed from an observation");
  }
  virtual int actions() const = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
  /// The data of a phase that is to be carried on; follow() must be told before play().
  virtual void save_phase(ByteWriter& to) const = 0;
  virtual void restore_phase(ByteReader& from) = 0;
};

/// Calls run(count, by) for the parts of a phase in their order, from step `played` to step `steps`.
template <class Run>
void for_each_part(const Lengths& lengths, std::int64_t played, std::int64_t steps, Run&& run) {
  const std::int64_t whole = lengths.rollout() > 0 ? played / lengths.rollout() : 0;
  std::int64_t skip = played - whole * lengths.rollout();
  steps -= played;
  const auto part = [&](std::int64_t count, By by) {
    const std::int64_t skipped = std::min(count, skip);
    const std::int64_t now = std::min(count - skipped, steps);
    if (now > 0) run(now, by);
    skip -= skipped;
    steps -= now;
  };
  for (std::int64_t j = whole; j < lengths.rollouts && steps > 0; ++j) {
    part(lengths.explore, By::explorer);
    part(lengths.probe, By::probe);
    part(lengths.follow, By::target);
  }
}
template <class Run>
void for_each_part(const Lengths& lengths, std::int64_t steps, Run&& run) {
  for_each_part(lengths, 0, steps, std::forward<Run>(run));
}

}  // namespace politex
