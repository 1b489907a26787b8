// Environments that live outside this program's own code: objects of Python, or another process. They come in blocks
// that are stepped together, so that a wall (an interpreter, a process) is crossed once for all of them. Crossing it
// costs far more than a virtual call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/env/environment.hpp"
#include "politex/env/range.hpp"

namespace politex {

/// The environments failed, not the learner: a run goes on from its last checkpoint when they are mended.
class OutsideError : public Error {
 public:
  using Error::Error;
};

/// What every environment of a block is like.
struct OutsideSpace {
  std::string name;           // for messages: "CartPole-v1"
  int actions = 0;            // 0 .. actions-1
  int states = 0;             // above 0: an observation is one number, the index of a state below this
  std::vector<Range> ranges;  // one per number of an observation
  std::int64_t episode = 0;   // steps after which a clock cuts, where it is known; else 0
  bool bytes = false;         // every number of an observation is a whole one, 0 to 255
  // A picture (or a stack of them, the oldest first): channels x height x width numbers; all 0 where it is none.
  int channels = 0, height = 0, width = 0;
};

/// What one environment did in one round. Costs inside: an adaptor negates rewards.
struct OutsideStep {
  double cost = 0.0;        // what is learned from
  double score = 0.0;       // the reward as the environment counts it, for reports: -cost where nothing rescales it
  bool terminated = false;  // ended by its own rules
  bool truncated = false;   // cut by a clock: not an end of the problem
  bool skipped = false;     // it only restarted in this round: no transition, the action was not taken
  bool lost_life = false;   // it goes on, but nothing later counts for the value of what came before
};

/// `count()` independent environments that are stepped together. Where an episode ended (terminated or truncated) the
/// environment stands at a new start already when step() returns; last() still shows how the episode ended.
class OutsideBlock {
 public:
  virtual ~OutsideBlock() = default;
  virtual const OutsideSpace& space() const = 0;
  virtual int count() const = 0;

  /// One round: actions[i] for environment i. Throws OutsideError that names the environment where it raised, died,
  /// hung, or gave a cost or an observation that is not finite or of another shape.
  virtual void step(std::span<const Action> actions, std::span<OutsideStep> into) = 0;
  /// What environment `which` shows now: after an end, the new start.
  virtual void observe(int which, std::span<double> into) const = 0;
  virtual void observe(int which, std::span<float> into) const = 0;
  /// The last observation of the episode that ended in the newest round of environment `which`.
  virtual void last(int which, std::span<double> into) const = 0;
  virtual void last(int which, std::span<float> into) const = 0;

  /// Whether save() and restore() carry every bit of the environments' states.
  virtual bool can_save() const = 0;
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
};

}  // namespace politex
