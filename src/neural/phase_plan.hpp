// When phases end. The appendix: a phase ends when its learner steps reach 100 times the square root of all learner
// steps; a mini-phase follows the policy for a number of steps that scales with the square root of the phase's length.
// Our default is 20 instead of 100: the policy improves after 400 learner steps, not after 10,000.
#pragma once

#include <cstdint>

#include "politex/base/bytes.hpp"
#include "politex/neural/settings.hpp"

namespace politex::neural {

/// Smallest k with k >= scale sqrt(before + k): learner steps of the phase that begins after `before` of them.
std::int64_t phase_length(double scale, std::int64_t before);

/// Transitions of phase 1: until then the policy does not change.
std::int64_t first_phase_transitions(const Settings& settings);

class PhasePlan {
 public:
  /// `episode`: the time limit of episodes in steps, 0 if there is none.
  PhasePlan(const Settings& settings, std::int64_t episode);

  /// One learner step was taken.
  void count() noexcept {
    ++learner_steps_;
    ++done_;
  }
  bool ended() const noexcept { return done_ == length_; }
  /// The next phase begins.
  void next();

  /// Counted from 1.
  std::int64_t number() const noexcept { return number_; }
  /// In learner steps: of the phase, those taken, and those of all phases.
  std::int64_t length() const noexcept { return length_; }
  std::int64_t done() const noexcept { return done_; }
  std::int64_t learner_steps() const noexcept { return learner_steps_; }
  /// Steps of the policy in a mini-phase.
  std::int64_t follow() const noexcept { return follow_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void begin();

  double phase_scale_, follow_scale_;
  std::int64_t phase_steps_, transitions_per_step_, episode_;
  std::int64_t learner_steps_ = 0, number_ = 1, length_ = 0, done_ = 0, follow_ = 1;
};

}  // namespace politex::neural
