#include "politex/evaluate/policy_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/policy/policy_file.hpp"
#include "politex/run/linear_run.hpp"

namespace politex::inline evaluate {
namespace {

namespace fs = std::filesystem;

int best_action(const PolicyTable& policy, int state) {
  const auto row = policy.probabilities(state);
  return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

int size_in(const nlohmann::json& root, const char* name, int most) {
  const auto found = root.find(name);
  const bool whole = found != root.end() && found->is_number_integer() && *found >= 1 && *found <= most;
  return whole ? found->get<int>() : 0;
}

template <class Numbers>
std::string c_array(const Numbers& numbers) {
  std::string text;
  std::size_t count = 0;
  for (const auto& each : numbers) text += fmt::format("{}{},", count++ % 16 == 0 ? "\n    " : " ", each);
  return text;
}

}  // namespace

PolicyTable read_exported_table(const std::string& policy) {
  const fs::path file = fs::is_directory(policy) ? fs::path(policy) / final_policy_file : fs::path(policy);
  if (!fs::exists(file))
    throw ConfigError{"POLICY", fmt::format("\"{}\" does not exist; accepted: a policy file over listed states, or the "
                                            "directory of a finished run on a finite environment",
                                            file.string())};
  const std::string text = read_file("POLICY", file.string());
  const auto root = nlohmann::json::parse(text, nullptr, false);
  const int states = root.is_object() ? size_in(root, "states", 100'000'000) : 0;
  const int actions = root.is_object() ? size_in(root, "actions", 1'000'000) : 0;
  if (states == 0 || actions == 0)
    throw ConfigError{"POLICY", fmt::format("\"{}\" is not a policy over listed states; accepted: {{\"states\": S, "
                                            "\"actions\": A, \"policy\": [[p, ...], ...]}}; a network is exported --to "
                                            "safetensors",
                                            file.string())};
  PolicyTable table(states, actions);
  table.set(parse_policy(text, "POLICY", file.string(), states, actions));
  return table;
}

std::string policy_csv(const PolicyTable& policy) {
  std::string text = "state,action";
  for (int a = 0; a < policy.actions(); ++a) text += fmt::format(",probability_{}", a);
  text += '\n';
  for (int state = 0; state < policy.states(); ++state) {
    text += fmt::format("{},{}", state, best_action(policy, state));
    for (const double p : policy.probabilities(state)) text += fmt::format(",{}", p);
    text += '\n';
  }
  return text;
}

std::string policy_thresholds(const PolicyTable& policy) {
  std::string text = "from_state,to_state,action\n";
  std::vector<char> ended(static_cast<std::size_t>(policy.actions()), 0);
  for (int from = 0; from < policy.states();) {
    const int action = best_action(policy, from);
    if (ended[static_cast<std::size_t>(action)] != 0)
      throw ConfigError{"--to",
                        fmt::format("thresholds need a policy that is monotone in the state, but action {} comes "
                                    "back at state {}; accepted: csv, c",
                                    action, from)};
    int to = from;
    while (to + 1 < policy.states() && best_action(policy, to + 1) == action) ++to;
    text += fmt::format("{},{},{}\n", from, to, action);
    ended[static_cast<std::size_t>(action)] = 1;
    from = to + 1;
  }
  return text;
}

std::string policy_c_header(const PolicyTable& policy) {
  std::vector<int> best;
  for (int state = 0; state < policy.states(); ++state) best.push_back(best_action(policy, state));
  const int each = policy.actions() - 1;
  const std::vector<double> cumulative(
      policy.cumulative(),
      policy.cumulative() + static_cast<std::size_t>(policy.states()) * static_cast<std::size_t>(each));
  std::string text = fmt::format(
      "/* A policy exported by politex: {} states, {} actions. Include it in one file or in many. */\n"
      "#ifndef POLITEX_POLICY_H\n#define POLITEX_POLICY_H\n\n"
      "#define POLITEX_STATES {}\n#define POLITEX_ACTIONS {}\n\n",
      policy.states(), policy.actions(), policy.states(), policy.actions());
  text += fmt::format(
      "/* The most probable action of a state. */\nstatic inline int politex_action(int state) {{\n"
      "  static const int action[POLITEX_STATES] = {{{}\n  }};\n  return action[state];\n}}\n\n",
      c_array(best));
  text +=
      "/* The action that a uniformly random number in [0, 1) selects. */\n"
      "static inline int politex_sample(int state, double uniform) {\n";
  if (each == 0) return text + "  (void)state;\n  (void)uniform;\n  return 0;\n}\n\n#endif\n";
  text +=
      fmt::format("  static const double cumulative[POLITEX_STATES * {}] = {{{}\n  }};\n", each, c_array(cumulative));
  text += fmt::format(
      "  int a = 0;\n  while (a < {0} && uniform >= cumulative[state * {0} + a]) ++a;\n  return a;\n}}\n\n"
      "#endif\n",
      each);
  return text;
}

std::string exported_text(const PolicyTable& policy, std::string_view to) {
  if (to == "csv") return policy_csv(policy);
  if (to == "thresholds") return policy_thresholds(policy);
  if (to == "c") return policy_c_header(policy);
  throw ConfigError{
      "--to", fmt::format("\"{}\" is not accepted; accepted: csv, thresholds, c; networks: safetensors, onnx", to)};
}

}  // namespace politex::inline evaluate
