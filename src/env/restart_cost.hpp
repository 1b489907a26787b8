// What the end of an episode costs where the problem continues after it: added to the cost of the step that terminates.
#pragma once

#include <cstdint>

#include "politex/base/bytes.hpp"

namespace politex::inline env {

/// A given number, or found from the costs: where the first 100 steps and all after them up to the first termination
/// cost the same c, no policy has another average cost than c, and a termination then costs -c more. So where steps
/// cost (mountain car), ends are sought, and where they pay (a balanced pole), ends are avoided, as in the sum of costs
/// of an episode. Else, and before, it is 0.
class RestartCost {
 public:
  /// Found from the costs.
  RestartCost() = default;
  explicit RestartCost(double given) noexcept : value_(given), open_(false), given_(true) {}

  /// The cost of the next step, with what its end adds.
  double with_end(double cost, bool terminated) noexcept {
    if (open_) look(cost, terminated);
    return terminated ? cost + value_ : cost;
  }

  double value() const noexcept { return value_; }
  /// Not given, and not 0.
  bool found() const noexcept { return !given_ && value_ != 0.0; }
  /// Not given, and not yet decided.
  bool open() const noexcept { return open_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void look(double cost, bool terminated) noexcept;

  double value_ = 0.0, first_ = 0.0;
  std::int64_t steps_ = 0;
  bool open_ = true, given_ = false;
};

}  // namespace politex::inline env
