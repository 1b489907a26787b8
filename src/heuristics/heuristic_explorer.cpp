#include "politex/heuristics/heuristic_explorer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/policy/table_explorer.hpp"

namespace politex::inline heuristics {
namespace {

struct HeuristicChoice {
  std::string policy = std::string(all_heuristics().front()->name);
};

Keys heuristic_keys() {
  Keys keys{key<&HeuristicChoice::policy>("explorer.policy", "the rule of thumb", word(choices_of(all_heuristics())))};
  for (const HeuristicEntry* entry : all_heuristics())
    for (const Key& each : entry->keys)
      if (std::ranges::find(keys, each.name, &Key::name) == keys.end()) keys.push_back(each);
  return keys;
}

std::shared_ptr<const Explorer> explore_by_heuristic(const ExplorerRequest& request) {
  if (request.model == nullptr)
    throw ConfigError{"explorer.name", fmt::format("\"{}\" needs a finite environment, and {} is not",
                                                   heuristic_explorer_entry().name, request.space.name)};
  const auto name = read<HeuristicChoice>(heuristic_explorer_entry().keys, request.values).policy;
  return explorer_of_actions(make_heuristic(name, request.values, *request.model), *request.model);
}

}  // namespace

std::shared_ptr<const Explorer> explorer_of_actions(std::span<const Action> actions, const FiniteModel& model) {
  std::vector<double> probabilities(static_cast<std::size_t>(model.pairs()), 0.0);
  for (int x = 0; x < model.states; ++x)
    probabilities[static_cast<std::size_t>(model.pair(x, actions[static_cast<std::size_t>(x)]))] = 1.0;
  PolicyTable table(model.states, model.actions);
  table.set(probabilities);
  return std::make_shared<TableExplorer>(std::move(table));
}

const ExplorerEntry& heuristic_explorer_entry() {
  static const ExplorerEntry entry{.name = "heuristic",
                                   .help = "a rule of thumb of the field, `policy`; finite environments",
                                   .keys = heuristic_keys(),
                                   .make = explore_by_heuristic};
  return entry;
}

}  // namespace politex::inline heuristics
