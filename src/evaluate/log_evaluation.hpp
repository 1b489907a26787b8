// Off-policy evaluation: the average cost of a policy from a log of another one, without running it. For listed states:
// the ratios of how often both policies visit a pair are estimated from the counts of the log, and the average is exact
// for the estimated transitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "politex/evaluate/comparison.hpp"
#include "politex/policy/policy_table.hpp"

namespace politex::inline evaluate {

/// One line of a log.
struct LogRow {
  int state = 0, action = 0, next = 0;
  double cost = 0.0;
};

/// A CSV file with the columns state, action, cost, next and, if the log has it, propensity (the probability with which
/// the action was taken), in any order; other columns are ignored. Throws ConfigError that names file, line and what is
/// accepted: states or actions out of range, costs that are not finite, propensities that are not above 0 and at
/// most 1.
std::vector<LogRow> read_log(const std::string& file, int states, int actions);
std::vector<LogRow> parse_log(std::string_view text, const std::string& origin, int states, int actions);

/// A log of observations of `numbers` numbers each, one after the other.
struct ObservationLog {
  std::size_t numbers = 0;
  std::vector<int> action{};
  std::vector<double> cost{}, before{}, after{};
};

/// The same with the columns observation_0, ..., action, cost, next_0, ..., and propensity if the log has it.
ObservationLog read_observation_log(const std::string& file, int numbers, int actions);
ObservationLog parse_observation_log(std::string_view text, const std::string& origin, int numbers, int actions);

/// The average cost of the policy (and of the reference, and their difference) with intervals. The error of the
/// estimate is a weighted sum of temporal-difference errors, a martingale, so the interval needs no batches. Throws
/// ConfigError naming `file` with the reason where the log does not cover the policy: a pair that it needs is missing,
/// or too few lines carry its average.
Comparison evaluate_log(const std::vector<LogRow>& log, const std::string& file, const PolicyTable& policy,
                        const PolicyTable* reference, double alpha);

}  // namespace politex::inline evaluate
