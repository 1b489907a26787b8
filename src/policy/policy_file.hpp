// Policies of finite environments as JSON files: what `explorer.file` and `politex exact --policy FILE` read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline policy {

/// Reads
///   {"states": 2, "actions": 2, "policy": [[0.5, 0.5], [0, 1]]}      probabilities, one row per state, or
///   {"states": 2, "actions": 2, "action": [0, 1]}                    one action per state
/// and returns states * actions probabilities, one row per state. Throws ConfigError naming `key`, the origin and the
/// entry: not JSON, sizes that differ from the environment's, actions out of range, rows that do not sum to 1 (1e-9).
std::vector<double> parse_policy(std::string_view text, const std::string& key, const std::string& origin, int states,
                                 int actions);

/// The same from a file.
std::vector<double> read_policy(const std::string& key, const std::string& file, int states, int actions);

/// The text that parse_policy reads back to the same bits.
std::string policy_text(std::span<const double> probabilities, int states, int actions);

}  // namespace politex::inline policy
