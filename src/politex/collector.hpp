// Data collection, Algorithm 1's CollectData: walks through one phase of the environment. One face for the compiled
// tables of finite worlds and for any other environment; called once a phase.
#pragma once

#include <cstdint>
#include <span>

#include "politex/base/bytes.hpp"
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
  virtual Phase collect(const Lengths& lengths, std::int64_t steps) = 0;
  virtual FeatureStructure structure() const = 0;
  virtual int actions() const = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

/// Calls run(count, by) for the parts of a phase in their order, cut off after `steps` steps.
template <class Run>
void for_each_part(const Lengths& lengths, std::int64_t steps, Run&& run) {
  const auto part = [&](std::int64_t count, By by) {
    const std::int64_t now = count < steps ? count : steps;
    if (now > 0) run(now, by);
    steps -= now;
  };
  for (std::int64_t j = 0; j < lengths.rollouts && steps > 0; ++j) {
    part(lengths.explore, By::explorer);
    part(lengths.probe, By::probe);
    part(lengths.follow, By::target);
  }
}

}  // namespace politex
