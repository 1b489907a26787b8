// A guard on a finite environment: the same environment in which only the incumbent's action is possible while the
// guard is on. So learners, explorers and the exact solver see the guard as masks, and `optimal` is the best under the
// guard.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/finite_model.hpp"
#include "politex/guard/guard.hpp"
#include "politex/policy/policy_table.hpp"

namespace politex::inline guard {

class FiniteGuard {
 public:
  /// The level of a state is a coordinate of `base.axes`, or their sum (without axes: the number of the state). Throws
  /// ConfigError: the incumbent is random or takes a masked action, or the guard is always on.
  FiniteGuard(const FiniteModel& base, const GuardOptions& options, const PolicyTable& incumbent);

  /// Its first states are those of the environment. With a release below the limit there are more: the states between
  /// release and limit once again, with the guard still on.
  const FiniteModel& model() const noexcept { return model_; }
  /// By state of model().
  const std::vector<std::uint8_t>& guarded() const noexcept { return guarded_; }
  /// Whether any state that can be reached is guarded.
  bool ever_on() const noexcept { return ever_on_; }
  /// A policy of the environment as one of model(): the incumbent where the guard is on.
  PolicyTable extended(const PolicyTable& policy) const;

 private:
  void find_states(const FiniteModel& base);
  void build(const FiniteModel& base);
  void check_reachable(const FiniteModel& base);
  double level(const FiniteModel& base, int state) const;

  GuardOptions options_;
  std::vector<Action> incumbent_;       // by state of the environment
  std::vector<int> base_of_, copy_of_;  // state of model() -> the environment's; the environment's -> its copy or -1
  std::vector<std::uint8_t> guarded_;
  FiniteModel model_;
  bool ever_on_ = false;
};

}  // namespace politex::inline guard
