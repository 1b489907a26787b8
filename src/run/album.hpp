// Pictures of what a run on a finite environment learned: where a phase went, and what its policy would do. A bounded
// number of phases has one, whatever the length of the run.
#pragma once

#include <cstdint>
#include <string>

#include "politex/env/finite_model.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline run {

class Album {
 public:
  /// For a run of `steps` steps. Where there are too many states to draw, no phase has a picture.
  Album(const FiniteModel& model, std::int64_t steps);

  /// The frame: {"environment", "states", "actions", "columns", "arrows"}. States stand row by row; "arrows" has the
  /// expected move of every pair (right, down, in hundredths of a cell), or is null where the places of states mean
  /// nothing.
  std::string frame() const;

  /// Whether the phase that begins and ends after so many steps has a picture: evenly spaced over the run, the first
  /// and the last included.
  bool due(std::int64_t begin, std::int64_t end) const noexcept {
    return stride_ > 0 && begin < end && (end == steps_ || (begin + stride_ - 1) / stride_ * stride_ < end);
  }
  /// Appends {"phase", "steps", "visits", "policy"} and a line's end: visits by state in the phase, and the most
  /// probable action of the policy learned by its end with its probability in percent, as 101 action + percent; -k in
  /// either list says that the number before it comes k times more. `policy` has one row per state.
  void add(const Phase& phase, std::span<const double> policy, std::int64_t number, std::int64_t steps,
           std::string& into) const;

 private:
  const FiniteModel* model_;
  std::int64_t steps_;
  int columns_ = 0;
  bool placed_ = false;      // neighbours on the page are neighbours in the world
  std::int64_t stride_ = 0;  // steps; 0: no pictures
};

}  // namespace politex::inline run
