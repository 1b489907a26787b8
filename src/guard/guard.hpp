// A guard hands control to an incumbent policy while a limit on the state is exceeded: the incumbent's action is taken
// in place of what the learned policy, the explorer or the probe chose. Control returns when the level is `release` or
// less.
#pragma once

#include <span>
#include <string>

#include "politex/env/space.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline guard {

struct GuardOptions {
  std::string incumbent{};               // empty: no guard
  double limit = 0.0;                    // the guard begins where the level is above
  Value release = std::string("limit");  // and ends where it is at most this
  std::int64_t coordinate = -1;          // the number of the state that is limited; -1: the sum of all

  bool on() const noexcept { return !incumbent.empty(); }
  double released_at() const noexcept {
    const double* const given = std::get_if<double>(&release);
    return given != nullptr ? *given : limit;
  }
};

/// guard.incumbent, guard.limit, guard.release, guard.coordinate.
Keys guard_keys();

/// Throws ConfigError: a release above the limit, a coordinate that does not exist (of `coordinates`).
void check_guard(const GuardOptions& options, int coordinates, const std::string& environment);

/// Whether the guard is on at this level, where it was on or off before.
inline bool guard_is_on(const GuardOptions& options, bool before, double level) noexcept {
  return level > (before ? options.released_at() : options.limit);
}

}  // namespace politex::inline guard
