// What the buffers of a network of queues cut off: how often one is full, and the optimum with smaller buffers.
#pragma once

#include <optional>
#include <span>

#include "politex/env/finite_model.hpp"

namespace politex::inline report {

struct Truncation {
  double full = 0.0;          // the share of time in which some buffer is full, under the policy
  int smaller = 0;            // the largest buffer where every buffer is half as large
  double smaller_gain = 0.0;  // the optimum there
};

/// std::nullopt where the problem is not a network of queues, it teleports, or no buffer has at least two places.
/// `stationary` is the distribution of the policy.
std::optional<Truncation> truncation(const FiniteModel& model, std::span<const double> stationary);

}  // namespace politex::inline report
