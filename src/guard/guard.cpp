#include "politex/guard/guard.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline guard {

Keys guard_keys() {
  return {
      key<&GuardOptions::incumbent>(
          "guard.incumbent",
          "takes over while the limit is exceeded: a heuristic (c_mu, threshold:11), always:A, "
          "or a policy file; empty: no guard",
          text()),
      key<&GuardOptions::limit>("guard.limit", "the guard begins where the level of the state is above", any_number()),
      key<&GuardOptions::release>("guard.release", "the guard ends where the level is at most this",
                                  any_number_or({{"limit", "as guard.limit"}})),
      key<&GuardOptions::coordinate>("guard.coordinate",
                                     "the level: this number of the state, from 0 on; -1: the sum of all",
                                     whole(-1, 1'000'000)),
  };
}

void check_guard(const GuardOptions& options, int coordinates, const std::string& environment) {
  if (options.released_at() > options.limit)
    throw ConfigError{"guard.release", fmt::format("{:g} is above guard.limit = {:g}; accepted: at most the limit",
                                                   options.released_at(), options.limit)};
  if (options.coordinate >= coordinates)
    throw ConfigError{"guard.coordinate", fmt::format("a state of {} has {} numbers; accepted: -1 (their sum), 0 to {}",
                                                      environment, coordinates, coordinates - 1)};
}

}  // namespace politex::inline guard
