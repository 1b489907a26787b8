// Pictures of what a run on a finite environment learned: visits of a phase to states, and the actions of its policy.
// The number of pictures is bounded for any length of the run.
#pragma once

#include <cstdint>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline watch {

class Album {
 public:
  /// For a run of `steps` steps. With too many states to draw, no phase has a picture.
  Album(const FiniteModel& model, std::int64_t steps);

  /// The frame: {"environment", "states", "actions", "columns", "arrows"}. States are listed row by row; "arrows" has
  /// the expected move of every pair (right, down, in hundredths of a cell), or is null where states have no positions.
  /// Where the problem says how people draw it, also "row", "column" and "action_names".
  std::string frame() const;

  /// Whether the phase that begins and ends after these numbers of steps has a picture: evenly spaced over the run,
  /// including the first and the last phase.
  bool due(std::int64_t begin, std::int64_t end) const noexcept {
    return stride_ > 0 && begin < end && (end == steps_ || (begin + stride_ - 1) / stride_ * stride_ < end);
  }
  /// Appends {"phase", "steps", "visits", "policy"} and a newline: visits of the phase by state, and the most
  /// probable action of the policy at its end with its probability in percent, as 101 action + percent; -k in either
  /// list repeats the number before it k times. `policy` has one row per state.
  void add(const Phase& phase, std::span<const double> policy, std::int64_t number, std::int64_t steps,
           std::string& into) const;

 private:
  const FiniteModel* model_;
  std::int64_t steps_;
  int columns_ = 0;
  bool placed_ = false;      // neighbours on the page are neighbours in the environment
  std::int64_t stride_ = 0;  // steps; 0: no pictures
};

}  // namespace politex::inline watch
