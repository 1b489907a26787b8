#include "politex/policy/goal_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/require.hpp"
#include "politex/base/saved.hpp"

namespace politex::inline policy {

namespace {

template <class Number>
Spot position_of_numbers(const GoalMap& map, std::span<const Number> observation) {
  const auto number = [&](int which) {
    const auto at = static_cast<std::size_t>(which);
    if (at >= observation.size())
      throw Error(
          fmt::format("an observation has {} numbers, and the goals' map reads number {}", observation.size(), which));
    const auto value = static_cast<float>(observation[at]);
    const float whole = std::round(value);
    if (!(value > -0.5F && value < 255.5F) || std::abs(value - whole) > 0.01F)
      throw Error(fmt::format("number {} of an observation is {}; a goals' map needs whole numbers from 0 to 255",
                              which, value));
    return static_cast<int>(whole);
  };
  return {number(map.x), number(map.y)};
}

}  // namespace

Spot position_in(const GoalMap& map, std::span<const float> observation) {
  return position_of_numbers(map, observation);
}
Spot position_in(const GoalMap& map, std::span<const double> observation) {
  return position_of_numbers(map, observation);
}

Action best_or_wander(Action best, int actions, ExplorerMemory& memory, Rng& rng) {
  constexpr double change = 0.3;
  if (best >= 0)
    memory.action = best;
  else if (rng.uniform() < change)
    memory.action = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(actions)));
  return static_cast<Action>(memory.action);
}

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
  for (const auto& [x, y] : positions)
    check_saved(x >= 0 && x < positions_per_side && y >= 0 && y < positions_per_side, "places of the goals");
  *this = GoalTable(map_, actions_);
  std::vector<float> observation(static_cast<std::size_t>(std::max(map_.x, map_.y)) + 1);
  for (const auto& [x, y] : positions) {
    observation[static_cast<std::size_t>(map_.x)] = static_cast<float>(x);
    observation[static_cast<std::size_t>(map_.y)] = static_cast<float>(y);
    meet(observation);
  }
  if (places() != static_cast<int>(positions.size())) throw DamagedState("places of the goals");
  for (std::vector<float>& values : values_) {
    from.get(values);
    check_saved(values.size() <= cells_.size() * static_cast<std::size_t>(actions_) && all_finite(values),
                "values of the goals");
  }
}

}  // namespace politex::inline policy
