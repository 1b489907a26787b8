// Policies in forms that run without politex: a table, thresholds, a C header.
#pragma once

#include <string>
#include <string_view>

#include "politex/policy/policy_table.hpp"

namespace politex::inline evaluate {

/// The table of a policy file or of a run's directory; the sizes are the file's own. Throws ConfigError.
PolicyTable read_exported_table(const std::string& policy);

/// state,action,probability_0,...: the most probable action, and all probabilities.
std::string policy_csv(const PolicyTable& policy);

/// from_state,to_state,action: where neighbouring states have the same most probable action. Throws ConfigError where
/// an action comes back after another one: then the policy is not monotone in the index of the state.
std::string policy_thresholds(const PolicyTable& policy);

/// A header for C and C++ without includes: politex_action(state) is the most probable action,
/// politex_sample(state, uniform) the one that a number in [0, 1) selects.
std::string policy_c_header(const PolicyTable& policy);

/// By the word of --to: csv, thresholds, c. Throws ConfigError.
std::string exported_text(const PolicyTable& policy, std::string_view to);

}  // namespace politex::inline evaluate
