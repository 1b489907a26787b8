#include "politex/policy/goal_explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"

namespace politex::inline policy {
namespace {

constexpr std::size_t map_size = std::size_t{positions_per_side} * positions_per_side;

std::size_t flat(Spot position) {
  return static_cast<std::size_t>(position.y) * positions_per_side + static_cast<std::size_t>(position.x);
}

}  // namespace

GoalPolicy::GoalPolicy(std::string name, const GoalTable& table, std::int64_t most)
    : environment(std::move(name)), map(table.map()), actions(table.actions()), limit(most) {
  for (int goal = 0; goal < table.goals(); ++goal) cells.push_back(table.cell(goal));
  for (int place = 0; place < table.places(); ++place) {
    positions.push_back(table.position(place));
    for (int goal = 0; goal < table.goals(); ++goal)
      choice.push_back(static_cast<std::int8_t>(table.best(place, goal)));
  }
}

std::string GoalPolicy::text() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();  // see to_safetensors()
  const auto pairs = [](const std::vector<Spot>& spots) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [x, y] : spots) list.push_back({x, y});
    return list;
  };
  out["kind"] = "goals";
  out["environment"] = environment;
  out["actions"] = actions;
  out["x"] = map.x;
  out["y"] = map.y;
  out["cell"] = map.cell;
  out["limit"] = limit;
  out["cells"] = pairs(cells);
  out["positions"] = pairs(positions);
  auto& lines = out["choice"] = nlohmann::ordered_json::array();
  for (std::size_t place = 0; place < positions.size(); ++place) {
    std::string line;
    for (std::size_t goal = 0; goal < cells.size(); ++goal) {
      const std::int8_t action = choice[place * cells.size() + goal];
      line += action < 0 ? '.' : static_cast<char>('a' + action);
    }
    lines.push_back(line);
  }
  return out.dump(0) + '\n';
}

bool is_goal_policy(const std::string& text) {
  return text.starts_with("{") && text.substr(0, 200).find("\"goals\"") != std::string::npos;
}

GoalPolicy GoalPolicy::read(const std::string& key, const std::string& text) {
  const auto refuse = [&](const std::string& why) -> ConfigError {
    return {key, fmt::format("not a policy of goals: {}; accepted: a file written by politex explore", why)};
  };
  try {
    const auto in = nlohmann::json::parse(text);
    GoalPolicy policy;
    if (in.at("kind") != "goals") throw refuse("its kind is not \"goals\"");
    policy.environment = in.at("environment");
    policy.map = {.x = in.at("x"), .y = in.at("y"), .cell = in.at("cell")};
    policy.actions = in.at("actions");
    policy.limit = in.at("limit");
    const GoalTable checked(policy.map, policy.actions);
    if (policy.limit < 1) throw refuse("its limit is below 1");
    const auto spots = [&](const char* name) {
      std::vector<Spot> list;
      for (const auto& each : in.at(name)) list.push_back({each.at(0), each.at(1)});
      return list;
    };
    policy.cells = spots("cells");
    policy.positions = spots("positions");
    if (policy.cells.empty()) throw refuse("it has no goals");
    const auto on_map = [](int most) {
      return [most](const Spot& each) { return std::min(each.x, each.y) >= 0 && std::max(each.x, each.y) < most; };
    };
    if (!std::ranges::all_of(policy.positions, on_map(positions_per_side)) ||
        !std::ranges::all_of(policy.cells, on_map(positions_per_side)))
      throw refuse("a position is off the map");
    const auto lines = in.at("choice").get<std::vector<std::string>>();
    if (lines.size() != policy.positions.size()) throw refuse("it does not have one line per position");
    for (const std::string& line : lines) {
      if (line.size() != policy.cells.size()) throw refuse("a line does not have one letter per goal");
      for (const char letter : line) {
        const int action = letter == '.' ? -1 : letter - 'a';
        if (action < -1 || action >= policy.actions) throw refuse("a letter is not an action");
        policy.choice.push_back(static_cast<std::int8_t>(action));
      }
    }
    return policy;
  } catch (const nlohmann::json::exception& error) {
    throw refuse(plain_reason(error.what()));
  }
}

namespace {

/// The goal of every position, -1 where there is none.
std::vector<std::int16_t> goals_by_position(const GoalPolicy& policy) {
  std::vector<std::int16_t> goal_at(map_size, -1);
  const int cell = policy.map.cell;
  for (std::size_t goal = 0; goal < policy.cells.size(); ++goal) {
    const auto [column, row] = policy.cells[goal];
    for (int y = row * cell; y < std::min((row + 1) * cell, positions_per_side); ++y)
      for (int x = column * cell; x < std::min((column + 1) * cell, positions_per_side); ++x)
        goal_at[flat({x, y})] = static_cast<std::int16_t>(goal);
  }
  return goal_at;
}

}  // namespace

GoalExplorer::GoalExplorer(GoalPolicy policy, double epsilon)
    : policy_(std::move(policy)), epsilon_(epsilon), place_at_(map_size, -1), goal_at_(goals_by_position(policy_)) {
  for (std::size_t place = 0; place < policy_.positions.size(); ++place)
    place_at_[flat(policy_.positions[place])] = static_cast<std::int16_t>(place);
}

Action GoalExplorer::act(std::span<const double> observation, ExplorerMemory& memory, Rng& rng) const {
  return act_at(position_in(policy_.map, observation), memory, rng);
}

Action GoalExplorer::act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const {
  return act_at(position_in(policy_.map, observation), memory, rng);
}

Action GoalExplorer::act_at(Spot position, ExplorerMemory& memory, Rng& rng) const {
  const std::size_t at = flat(position);
  if (memory.goal < 0 || memory.goal >= static_cast<std::int64_t>(policy_.cells.size()) || memory.left <= 0 ||
      goal_at_[at] == memory.goal) {
    memory.goal = static_cast<std::int64_t>(rng.below(policy_.cells.size()));
    memory.left = policy_.limit;
  }
  --memory.left;
  const int place = place_at_[at];
  Action best = -1;
  if (place >= 0 && rng.uniform() >= epsilon_) {
    const std::int8_t chosen =
        policy_.choice[static_cast<std::size_t>(place) * policy_.cells.size() + static_cast<std::size_t>(memory.goal)];
    if (chosen >= 0) best = static_cast<std::uint8_t>(chosen);
  }
  return best_or_wander(best, policy_.actions, memory, rng);
}

GoalMeasure measure_goals(EnvironmentBlock& block, const Explorer& explorer, const GoalPolicy& map, std::int64_t rounds,
                          std::uint64_t seed) {
  struct Player {
    ExplorerMemory memory;
    std::vector<bool> visited;
    double score = 0.0;
  };
  const std::vector<std::int16_t> goal_at = goals_by_position(map);
  const auto count = static_cast<std::size_t>(block.count());
  std::vector<Player> players(count);
  for (Player& player : players) player.visited.resize(map.cells.size());
  std::vector<float> seen(block.space().ranges.size());
  std::vector<Action> actions(count);
  std::vector<StepResult> moved(count);
  Rng act(seed, Use::explorer), draw(seed, Use::probe);
  GoalMeasure measure;
  double cells = 0.0, score = 0.0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      ExplorerMemory& memory = players[i].memory;
      if (memory.goal < 0) memory.goal = static_cast<std::int64_t>(draw.below(map.cells.size()));
      if (memory.left == 0) memory.left = map.limit + 1;  // the goal is ended here, not by the explorer
      block.observe(static_cast<int>(i), seen);
      const ExplorerMemory meant = memory;
      actions[i] = explorer.act(std::span<const float>(seen), memory, act);
      memory.goal = meant.goal;
      memory.left = meant.left - 1;
    }
    block.step(0, actions, moved);
    for (std::size_t i = 0; i < count; ++i) {
      Player& player = players[i];
      const bool over = moved[i].terminated || moved[i].truncated;
      if (over)
        block.last(static_cast<int>(i), seen);
      else
        block.observe(static_cast<int>(i), seen);
      const int goal = goal_at[flat(position_in(map.map, std::span<const float>(seen)))];
      if (goal >= 0) player.visited[static_cast<std::size_t>(goal)] = true;
      player.score += moved[i].score;
      if (goal == player.memory.goal || player.memory.left == 1) {
        ++measure.goals;
        if (goal == player.memory.goal) ++measure.reached;
        player.memory.goal = -1;
        player.memory.left = 0;
      }
      if (!over) continue;
      ++measure.games;
      cells += static_cast<double>(std::ranges::count(player.visited, true));
      score += player.score;
      player.visited.assign(player.visited.size(), false);
      player.score = 0.0;
    }
  }
  const auto games = static_cast<double>(measure.games);
  measure.cells_a_game = measure.games > 0 ? cells / games : unknown;
  measure.score_a_game = measure.games > 0 ? score / games : unknown;
  return measure;
}

}  // namespace politex::inline policy
