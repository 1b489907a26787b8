// What an estimate from a log consists of, whatever the method: a gain, and by how much every line moves it.
#pragma once

#include <string>
#include <vector>

#include "politex/evaluate/comparison.hpp"

namespace politex::inline evaluate {

struct LogEstimate {
  double gain = 0.0;
  std::vector<double> influence;  // by line; a martingale, so their squares sum to the variance
};

/// The estimate (and that of the reference, and their difference) with intervals. `method` names how it was made.
Comparison compare_estimates(const LogEstimate& policy, const LogEstimate* reference, const std::string& method,
                             double alpha);

/// Pairs with fewer lines say little about where they lead; they may carry a small share of the policy's time only.
inline constexpr double few_lines = 5.0, most_time_on_few = 0.05;

/// How many lines of the policy itself lines with these weights are worth; refuses too few.
void check_effective_lines(const std::string& file, double weights, double squares, std::size_t lines);

/// Throws ConfigError{"--log"} with the reason why the log does not cover the policy.
[[noreturn]] void does_not_cover(const std::string& file, const std::string& why);

}  // namespace politex::inline evaluate
