// What an estimate from a log consists of, whatever the method: a gain, and by how much every line moves it.
#pragma once

#include <string>
#include <vector>

#include "politex/evaluate/comparison.hpp"

namespace politex::inline evaluate {

/// By line of the log.
struct LogEstimate {
  double gain = 0.0;
  std::vector<double> influence{};  // a martingale, so their squares sum to the variance of what the log has shown
  // For what a pair with few lines has not shown yet. In listed states: the policy's time on the line's pair by the
  // lines of it, the estimated value of the next state, and 1 by the lines of the pair.
  std::vector<double> weight{}, value{}, leverage{};
};

/// The estimate (and that of the reference, and their difference) with intervals. To the squares of the influence comes
/// the variance of two more lines per pair, which lead to a next state of any pair of the log: else five lines that
/// happened to lead to the same state would be certain to do so. `method` names how the estimate was made.
Comparison compare_estimates(const LogEstimate& policy, const LogEstimate* reference, const std::string& method,
                             double alpha);

/// Pairs with fewer lines say little about where they lead; they may carry a small share of the policy's time only,
/// which is estimated from the same few lines. The tests of coverage were used to choose these numbers.
inline constexpr double few_lines = 15.0, most_time_on_few = 0.01;

/// How many lines of the policy itself lines with these weights are worth; refuses too few.
void check_effective_lines(const std::string& file, double weights, double squares, std::size_t lines);

/// Throws ConfigError{"--log"} with the reason why the log does not cover the policy.
[[noreturn]] void does_not_cover(const std::string& file, const std::string& why);

}  // namespace politex::inline evaluate
