// Our environments in blocks that Gymnasium sees: rewards, cuts by the clock, buffers that are written once a step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/entry.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/env/range.hpp"

namespace politex::python {

/// What happens to an environment that its clock cut: it starts anew at the next step, at once, or when told.
enum class Autoreset { next_step = 0, same_step = 1, disabled = 2 };

/// `count` environments of one kind, each with a state and a stream of its own. Never terminated: what ends an episode
/// by the rules of the world is a restart inside step(); the clock's cut is a truncation.
class Worlds {
 public:
  virtual ~Worlds() = default;

  const int count, actions;
  const int states;            // above 0: an observation is the index of a state
  const int observation_size;  // else the numbers of an observation
  const std::vector<Range> ranges;

  // Environment after environment; `finals` is how an episode that the newest step cut ended (same_step).
  std::vector<std::int64_t> indices;
  std::vector<double> observations, finals;
  std::vector<double> rewards;
  std::vector<std::uint8_t> truncated, restarted;

  /// The stream of environment `which` from its beginning.
  virtual void seed(int which, std::uint64_t seed) = 0;
  /// A fresh start of environment `which`, drawn from where its stream stands.
  virtual void reset(int which) = 0;
  /// Throws ConfigError on an action out of range, Error where an environment was not reset.
  virtual void step(std::span<const std::int64_t> given) = 0;

  virtual void save(ByteWriter& to) const = 0;
  /// All or nothing. Throws Error where the bytes are of other environments.
  virtual void restore(ByteReader& from) = 0;

 protected:
  Worlds(int count_given, int actions_given, int states_given, int size, std::vector<Range> ranges_given);
};

std::unique_ptr<Worlds> make_worlds(const FiniteModel& model, int count, Autoreset autoreset);
/// Of an environment of this program that is not finite.
std::unique_ptr<Worlds> make_worlds(const EnvironmentEntry& entry, const Values& values, int count,
                                    Autoreset autoreset);

}  // namespace politex::python
