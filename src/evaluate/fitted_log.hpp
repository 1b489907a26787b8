// Off-policy evaluation with features: Q of the policy is fitted to the log by least-squares temporal differences,
// together with the policy's average cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "politex/evaluate/log_estimate.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline evaluate {

/// A log in features psi(state, action), `width` numbers each.
struct FittedLog {
  std::size_t width = 0;
  std::vector<double> taken;  // psi of the pairs, line after line
  std::vector<double> cost;   // by line
};

/// The average cost of the policy whose mean features of the next states are `next` (line after line: the mean of
/// psi(next, a) over the policy's actions). With z = (psi, 1), solves sum z_t (psi_t w - next_t w + gain - c_t) = 0.
/// The interval is right where Q is linear in the features. Throws ConfigError naming `file` with the reason where the
/// log does not cover the policy: features that it needs have too few lines, or too few lines carry its average.
LogEstimate fit_log(const FittedLog& log, const std::vector<double>& next, const std::string& file);

/// From a log of observations, with the features of `map` for every action. The policies' actions in the next states
/// are drawn. Throws ConfigError.
Comparison evaluate_observations(const ObservationLog& log, const std::string& file, const FeatureMap& map, int actions,
                                 const Explorer& policy, const Explorer* reference, double alpha);

}  // namespace politex::inline evaluate
