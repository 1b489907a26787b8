// The incumbent as prior: a learned policy that begins as the policy that runs today.
#pragma once

#include <string>

#include "politex/settings/values.hpp"

namespace politex::inline guard {

struct PriorOptions {
  std::string incumbent{};  // empty: none, the first policy is uniform
  double weight = 4.0;      // the logit of the incumbent's action at the beginning

  bool on() const noexcept { return !incumbent.empty(); }
};

/// algorithm.incumbent, algorithm.incumbent_weight.
Keys prior_keys();

}  // namespace politex::inline guard
