// A learned goal table, frozen, as an exploration policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "politex/env/block.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/policy/goal_table.hpp"

namespace politex::inline policy {

/// A learned table, frozen to its best actions: what a policy file holds.
struct GoalPolicy {
  std::string environment;  // that it was trained in
  GoalMap map;
  int actions = 0;
  std::int64_t limit = 200;
  std::vector<Spot> positions, cells;
  std::vector<std::int8_t> choice;  // [place][goal]; -1: nothing known

  GoalPolicy(std::string name, const GoalTable& table, std::int64_t most);
  GoalPolicy() = default;
  /// JSON; one line of letters per place, 'a' for action 0, '.' where nothing is known.
  std::string text() const;
  /// Throws ConfigError that names `key` and `file` if the text is not such a policy.
  static GoalPolicy read(const std::string& key, const std::string& file, const std::string& text);
};

/// How well a policy reaches places of a map.
struct GoalMeasure {
  std::int64_t goals = 0, reached = 0;  // drawn uniformly, one after the other; reached within the limit
  std::int64_t games = 0;               // that ended
  double cells_a_game = 0.0;            // different cells visited, on average; NaN without games
  double score_a_game = 0.0;            // NaN without games
};
/// Lets `explorer` play `rounds` rounds. Goals come from `map`; explorers without goals are measured with the same
/// draws.
GoalMeasure measure_goals(EnvironmentBlock& block, const Explorer& explorer, const GoalPolicy& map, std::int64_t rounds,
                          std::uint64_t seed);

/// Whether a policy file holds goals, not a network.
bool is_goal_policy(const std::string& text);

/// Goes to goals drawn uniformly from the known cells; a new one when it arrives or when the limit has passed.
class GoalExplorer final : public Explorer {
 public:
  /// A share `epsilon` of its actions is random.
  GoalExplorer(GoalPolicy policy, double epsilon);
  Action act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const override;
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  Action act_at(Spot position, ExplorerMemory& memory, Rng& rng) const;

  GoalPolicy policy_;
  double epsilon_;
  std::vector<std::int16_t> place_at_, goal_at_;  // by position
};

}  // namespace politex::inline policy
