#include "politex/neural/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "politex/base/error.hpp"
#include "politex/base/unknown.hpp"
#include "politex/neural/require.hpp"

namespace politex::neural {

namespace {

constexpr int positions_a_side = 256;
constexpr std::size_t map_size = std::size_t{positions_a_side} * positions_a_side;

Spot position_in(const GoalMap& map, std::span<const float> observation, float scale = 1.0F) {
  const auto number = [&](int which) {
    const auto at = static_cast<std::size_t>(which);
    if (at >= observation.size())
      throw Error(fmt::format("an observation has {} numbers, and the goals' map looks at number {}",
                              observation.size(), which));
    const float value = scale * observation[at];
    const float whole = std::round(value);
    if (!(value > -0.5F && value < 255.5F) || std::abs(value - whole) > 0.01F)
      throw Error(fmt::format("number {} of an observation is {}; a goals' map needs whole numbers from 0 to 255",
                              which, value));
    return static_cast<int>(whole);
  };
  return {number(map.x), number(map.y)};
}

std::size_t flat(Spot position) {
  return static_cast<std::size_t>(position.y) * positions_a_side + static_cast<std::size_t>(position.x);
}

/// `best` where it is known; else a random direction is kept for a while: single random steps lead nowhere in a maze.
Action wander(Action best, int actions, ExplorerMemory& memory, Rng& rng) {
  constexpr double change = 0.3;
  if (best >= 0)
    memory.action = best;
  else if (rng.uniform() < change)
    memory.action = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(actions)));
  return static_cast<Action>(memory.action);
}

}  // namespace

GoalTable::GoalTable(const GoalMap& map, int actions) : map_(map), actions_(actions) {
  require(map.x >= 0, "goal.x", "a number of the observation, from 0");
  require(map.y >= 0, "goal.y", "a number of the observation, from 0");
  require(map.cell >= 1 && map.cell <= 64, "goal.cell", "1 to 64");
  require(actions >= 2 && actions <= 26, "environment", "2 to 26 actions");
}

Spot GoalTable::position_of(std::span<const float> observation) const { return position_in(map_, observation); }

int GoalTable::find(std::span<const float> observation) const {
  const auto at = place_numbers_.find(position_of(observation));
  return at == place_numbers_.end() ? -1 : at->second;
}

int GoalTable::meet(std::span<const float> observation) {
  const Spot position = position_of(observation);
  const auto [place, fresh] = place_numbers_.try_emplace(position, places());
  if (!fresh) return place->second;
  const Spot corner{position.x / map_.cell, position.y / map_.cell};
  const auto [goal, first] = goal_numbers_.try_emplace(corner, goals());
  if (first) cells_.push_back(corner);
  positions_.push_back(position);
  cell_of_.push_back(goal->second);
  values_.emplace_back();
  return place->second;
}

std::vector<float>& GoalTable::row(int place) {
  std::vector<float>& values = values_[static_cast<std::size_t>(place)];
  values.resize(cells_.size() * static_cast<std::size_t>(actions_), 0.0F);
  return values;
}

void GoalTable::learn(const GoalTransition& moved, double discount, double rate) {
  const std::vector<float>& next = row(moved.to);
  std::vector<float>& here = row(moved.from);
  const auto actions = static_cast<std::size_t>(actions_);
  const auto arrived = static_cast<std::size_t>(goal_at(moved.to));
  const auto weight = static_cast<float>(rate), keep = moved.lost != 0 ? 0.0F : static_cast<float>(discount);
  for (std::size_t goal = 0; goal < cells_.size(); ++goal) {
    float best = 0.0F;
    for (std::size_t a = 0; a < actions; ++a) best = std::max(best, next[goal * actions + a]);
    float& value = here[goal * actions + static_cast<std::size_t>(moved.action)];
    value += weight * ((goal == arrived ? 1.0F : keep * best) - value);
  }
}

void GoalTable::settle(std::span<const GoalTransition> all, double discount) {
  // How often each distinct transition was seen, those of one place and action side by side.
  std::map<std::array<int, 4>, int> counts;
  for (const GoalTransition& t : all) ++counts[{t.from, t.action, t.to, t.lost}];
  const auto goals = cells_.size(), actions = static_cast<std::size_t>(actions_);
  std::vector<float> best(positions_.size() * goals, 0.0F), value(goals);
  for (int place = 0; place < places(); ++place) std::ranges::fill(row(place), 0.0F);
  // Values grow from 0 towards the solution; a way of n steps is known after at most n sweeps.
  constexpr float enough = 1e-5F;
  for (float change = 1.0F; change > enough;) {
    change = 0.0F;
    for (auto at = counts.begin(); at != counts.end();) {
      const auto [from, action, first_to, first_lost] = at->first;
      std::ranges::fill(value, 0.0F);
      float seen = 0.0F;
      for (; at != counts.end() && at->first[0] == from && at->first[1] == action; ++at) {
        const auto [f, a, to, lost] = at->first;
        const auto times = static_cast<float>(at->second);
        const float keep = lost != 0 ? 0.0F : times * static_cast<float>(discount);
        const float* next = &best[static_cast<std::size_t>(to) * goals];
        const auto arrived = static_cast<std::size_t>(goal_at(to));
        for (std::size_t goal = 0; goal < goals; ++goal) value[goal] += keep * next[goal];
        value[arrived] += times - keep * next[arrived];
        seen += times;
      }
      float* values = &values_[static_cast<std::size_t>(from)][static_cast<std::size_t>(action)];
      float* most = &best[static_cast<std::size_t>(from) * goals];
      for (std::size_t goal = 0; goal < goals; ++goal) {
        values[goal * actions] = value[goal] / seen;
        change = std::max(change, value[goal] / seen - most[goal]);
        most[goal] = std::max(most[goal], value[goal] / seen);
      }
    }
  }
}

float GoalTable::value(int place, int goal, Action action) const {
  const std::vector<float>& values = values_[static_cast<std::size_t>(place)];
  const std::size_t at =
      static_cast<std::size_t>(goal) * static_cast<std::size_t>(actions_) + static_cast<std::size_t>(action);
  return at < values.size() ? values[at] : 0.0F;
}

Action GoalTable::best(int place, int goal) const {
  Action chosen = -1;
  float most = 0.0F;
  for (Action a = 0; a < actions_; ++a)
    if (const float now = value(place, goal, a); now > most) {
      most = now;
      chosen = a;
    }
  return chosen;
}

void GoalTable::save(ByteWriter& to) const {
  to.put(positions_);
  for (const std::vector<float>& values : values_) to.put(values);
}

void GoalTable::restore(ByteReader& from) {
  const auto positions = from.get<std::vector<Spot>>();
  *this = GoalTable(map_, actions_);
  std::vector<float> observation(static_cast<std::size_t>(std::max(map_.x, map_.y)) + 1);
  for (const auto& [x, y] : positions) {
    observation[static_cast<std::size_t>(map_.x)] = static_cast<float>(x);
    observation[static_cast<std::size_t>(map_.y)] = static_cast<float>(y);
    meet(observation);
  }
  for (std::vector<float>& values : values_) from.get(values);
}

GoalTrainer::GoalTrainer(const GoalSettings& settings, std::unique_ptr<OutsideBlock> block, std::uint64_t seed)
    : settings_(settings),
      block_(std::move(block)),
      table_(settings.map, block_->space().actions),
      choose_(seed, Use::explorer),
      replay_(seed, Use::replay) {
  require(settings.limit >= 1, "goal.limit", "1 or more steps");
  require(settings.discount > 0.0 && settings.discount < 1.0, "goal.discount", "above 0 and below 1");
  require(settings.rate > 0.0 && settings.rate <= 1.0, "goal.rate", "above 0 and at most 1");
  require(settings.replay_rate > 0.0 && settings.replay_rate <= 1.0, "goal.replay_rate", "above 0 and at most 1");
  require(settings.replays >= 0, "goal.replays", "0 or more");
  require(settings.epsilon >= 0.0 && settings.epsilon <= 1.0, "algorithm.epsilon", "0 to 1");
  const auto count = static_cast<std::size_t>(block_->count());
  observation_.resize(block_->space().ranges.size());
  memories_.resize(count);
  standing_.resize(count);
  actions_.resize(count);
  moved_.resize(count);
  for (int i = 0; i < block_->count(); ++i) look(i);
}

void GoalTrainer::look(int which) {
  block_->observe(which, observation_);
  standing_[static_cast<std::size_t>(which)] = table_.meet(observation_);
}

Action GoalTrainer::choose(int which) {
  ExplorerMemory& memory = memories_[static_cast<std::size_t>(which)];
  const int place = standing_[static_cast<std::size_t>(which)];
  if (memory.goal < 0) {
    memory.goal = static_cast<std::int64_t>(choose_.below(static_cast<std::uint64_t>(table_.goals())));
    memory.left = settings_.limit;
  }
  const Action best = choose_.uniform() < settings_.epsilon ? -1 : table_.best(place, static_cast<int>(memory.goal));
  return wander(best, table_.actions(), memory, choose_);
}

void GoalTrainer::round() {
  for (int i = 0; i < block_->count(); ++i) actions_[static_cast<std::size_t>(i)] = choose(i);
  block_->step(actions_, moved_);
  for (int i = 0; i < block_->count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const OutsideStep& moved = moved_[at];
    const int from = standing_[at];
    ++steps_;
    int to = from;
    if (moved.terminated || moved.truncated) {
      block_->last(i, observation_);
      to = table_.meet(observation_);
    }
    look(i);
    if (moved.skipped) continue;
    tally_.cost += moved.cost;
    if (!moved.terminated && !moved.truncated) to = standing_[at];
    remembered_.push_back({from, to, actions_[at], moved.terminated || moved.lost_life ? 1 : 0});
    table_.learn(remembered_.back(), settings_.discount, settings_.rate);
    for (int k = 0; k < settings_.replays; ++k)
      table_.learn(remembered_[replay_.below(remembered_.size())], settings_.discount, settings_.replay_rate);
    ExplorerMemory& memory = memories_[at];
    const bool reached = table_.goal_at(to) == memory.goal;
    if (!reached && --memory.left > 0) continue;
    ++tally_.drawn;
    if (reached) ++tally_.reached;
    memory.goal = -1;
  }
}

GoalTable GoalTrainer::settled() const {
  GoalTable table = table_;
  table.settle(remembered_, settings_.discount);
  return table;
}

void GoalTrainer::save(ByteWriter& to) const {
  table_.save(to);
  to.put(choose_.position());
  to.put(replay_.position());
  to.put(memories_);
  to.put(remembered_);
  to.put(tally_);
  to.put(steps_);
  block_->save(to);
}

void GoalTrainer::restore(ByteReader& from) {
  table_.restore(from);
  choose_.seek(from.get<std::uint64_t>());
  replay_.seek(from.get<std::uint64_t>());
  from.get(memories_);
  from.get(remembered_);
  from.get(tally_);
  from.get(steps_);
  block_->restore(from);
  for (int i = 0; i < block_->count(); ++i) look(i);
}

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
  nlohmann::ordered_json out;
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
    return {key, fmt::format("is no policy of goals: {}; accepted: a file that politex explore wrote", why)};
  };
  try {
    const auto in = nlohmann::json::parse(text);
    GoalPolicy policy;
    if (in.at("kind") != "goals") throw refuse("its kind is another");
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
    if (!std::ranges::all_of(policy.positions, on_map(positions_a_side)) ||
        !std::ranges::all_of(policy.cells, on_map(positions_a_side)))
      throw refuse("a position is off the map");
    const auto lines = in.at("choice").get<std::vector<std::string>>();
    if (lines.size() != policy.positions.size()) throw refuse("it has not one line per position");
    for (const std::string& line : lines) {
      if (line.size() != policy.cells.size()) throw refuse("a line has not one letter per goal");
      for (const char letter : line) {
        const int action = letter == '.' ? -1 : letter - 'a';
        if (action < -1 || action >= policy.actions) throw refuse("a letter is no action");
        policy.choice.push_back(static_cast<std::int8_t>(action));
      }
    }
    return policy;
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error.what());
  }
}

namespace {

/// The goal of every position, -1 where there is none.
std::vector<std::int16_t> goals_by_position(const GoalPolicy& policy) {
  std::vector<std::int16_t> goal_at(map_size, -1);
  const int cell = policy.map.cell;
  for (std::size_t goal = 0; goal < policy.cells.size(); ++goal) {
    const auto [column, row] = policy.cells[goal];
    for (int y = row * cell; y < std::min((row + 1) * cell, positions_a_side); ++y)
      for (int x = column * cell; x < std::min((column + 1) * cell, positions_a_side); ++x)
        goal_at[flat({x, y})] = static_cast<std::int16_t>(goal);
  }
  return goal_at;
}

}  // namespace

GoalExplorer::GoalExplorer(GoalPolicy policy, double epsilon, float scale)
    : policy_(std::move(policy)),
      epsilon_(epsilon),
      scale_(scale),
      place_at_(map_size, -1),
      goal_at_(goals_by_position(policy_)) {
  for (std::size_t place = 0; place < policy_.positions.size(); ++place)
    place_at_[flat(policy_.positions[place])] = static_cast<std::int16_t>(place);
}

Action GoalExplorer::act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const {
  const std::size_t at = flat(position_in(policy_.map, observation, scale_));
  if (memory.goal < 0 || memory.left == 0 || goal_at_[at] == memory.goal) {
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
  return wander(best, policy_.actions, memory, rng);
}

GoalMeasure measure_goals(OutsideBlock& block, const Explorer& explorer, const GoalPolicy& map, std::int64_t rounds,
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
  std::vector<OutsideStep> moved(count);
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
      actions[i] = explorer.act(seen, memory, act);
      memory.goal = meant.goal;
      memory.left = meant.left - 1;
    }
    block.step(actions, moved);
    for (std::size_t i = 0; i < count; ++i) {
      Player& player = players[i];
      const bool over = moved[i].terminated || moved[i].truncated;
      if (over)
        block.last(static_cast<int>(i), seen);
      else
        block.observe(static_cast<int>(i), seen);
      const int goal = goal_at[flat(position_in(map.map, seen))];
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

}  // namespace politex::neural
