// Rules of thumb that people use before they learn a policy: one action per state of a finite problem, decided by what
// the problem is (its queues, its stock, its level). They are named in three places, always by the same names:
//   politex exact n_model --policy threshold:11          the exact average cost; numbers in the order of the keys
//   explorer.name = "heuristic", explorer.policy = "c_mu"     the exploration policy of a run
//   named_heuristic("s_S:6,40", model, "--policy")       the same in C++: actions[state]; the observation of a finite
//                                                        environment is the index of its state
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/env/structure.hpp"
#include "politex/settings/values.hpp"

namespace politex::inline heuristics {

/// The numbers of all heuristics; each uses its own.
struct HeuristicOptions {
  int threshold = 1;
  int reorder = 0;
  int level = 0;
};

struct HeuristicRequest {
  const FiniteModel& model;
  HeuristicOptions options{};
  std::string origin;  // the key or option that named it, for messages

  /// Throws ConfigError that names the heuristic, the problem, and what is needed.
  [[noreturn]] void refuse(std::string_view name, const std::string& why) const;
};

struct HeuristicEntry {
  std::string_view name, help;
  Keys keys{};  // set members of HeuristicOptions; in a text the numbers have this order
  /// One action per state. Throws ConfigError where the problem is not of its kind, or a number does not fit it.
  std::vector<Action> (*actions)(const HeuristicRequest& request) = nullptr;
};

/// All of them. To add one: write its function and entry, and add one line in heuristic.cpp.
std::span<const HeuristicEntry* const> all_heuristics();

/// By name, with its keys in `values` (explorer.threshold, ...). Throws ConfigError.
std::vector<Action> make_heuristic(std::string_view name, const Values& values, const FiniteModel& model);

/// By a text such as "c_mu", "threshold:11" or "s_S:6,40"; std::nullopt where it does not begin with the name of a
/// heuristic. Throws ConfigError that begins with `origin` where its numbers are wrong or it does not fit the problem.
std::optional<std::vector<Action>> named_heuristic(std::string_view text, const FiniteModel& model,
                                                   const std::string& origin);

/// "c_mu, longest_queue, ..., s_S:REORDER,LEVEL": what `named_heuristic` accepts.
std::string heuristic_forms();

}  // namespace politex::inline heuristics
