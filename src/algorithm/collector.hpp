// The interface of data collection. One implementation walks the compiled tables of finite environments, the others
// step any environment. Its virtual functions are called once per phase, never per step.
#pragma once

#include <exception>
#include <memory>
#include <span>

#include "politex/algorithm/collect_data.hpp"
#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/policy/rule.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline algorithm {

class Collector {
 public:
  virtual ~Collector() = default;
  /// Freezes the target policy: `rule` applied to psi(x, .) . weights.
  virtual void follow(const Rule& rule, std::span<const double> weights) = 0;
  /// Plays a part of a phase, starting in the state where the last part ended, and returns the phase so far, with the
  /// `played` steps of the last call (or of restore_phase). It is shorter than asked for if failure() is set or the
  /// collector was stopped. The result is valid until the next call.
  virtual Phase collect(const Part& part) = 0;
  /// The exception that ended the last part early; null if there was none.
  virtual std::exception_ptr failure() const { return nullptr; }
  virtual FeatureStructure structure() const = 0;
  /// Appends the feature row of an observation (of a state index if the environment is finite), replicated per action.
  /// Throws Error if the features are not a function of the observation.
  virtual void describe(std::span<const double> /*observation*/, SparseRows& /*into*/) const {
    throw Error("these features cannot be computed from an observation");
  }
  virtual int actions() const = 0;
  /// From now on target policy and probe choose among the possible actions only, and phases say which these are.
  virtual void respect_masks() {}
  /// From now on the target policy begins with these logits: `weight` times the probabilities of `incumbent`.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that can keep it
  virtual void start_from(std::shared_ptr<const Explorer> /*incumbent*/, double /*weight*/) {
    throw Error("this learner cannot start from a policy");
  }
  /// The policy of a rule for an observation with these values, as far as masks and logits depend on the observation.
  virtual void probabilities(const Rule& rule, std::span<const double> /*observation*/, std::span<const double> q,
                             std::span<double> p) const {
    rule.probabilities(q, p);
  }
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
  /// The data of a phase that will be continued. After restore_phase(), which returns the number of its steps, call
  /// follow() before collect().
  virtual void save_phase(ByteWriter& to) const = 0;
  virtual std::int64_t restore_phase(ByteReader& from) = 0;
};

}  // namespace politex::inline algorithm
