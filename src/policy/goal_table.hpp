// Goal-conditioned exploration, for environments that show the player's position: go to a random place of the map, then
// to the next. What is learned is a table Q(place, goal, action) of discounted probabilities to arrive, on a reward of
// its own (1 on arriving), never on the environment's cost; with hindsight relabelling: every transition is learned
// from for every goal at once.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline policy {

struct Spot {
  int x = 0, y = 0;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

/// Which numbers of an observation are the position, and the size of a goal.
struct GoalMap {
  int x = 10, y = 16;  // numbers of an observation, 0 to 255 (Ms. Pac-Man's RAM)
  int cell = 8;        // side of a goal's square, in positions

  friend bool operator==(const GoalMap&, const GoalMap&) = default;
};

/// A step between places.
struct GoalTransition {
  int from = 0, to = 0;
  Action action = 0;
  std::int32_t lost = 0;  // not bool: the bytes of a checkpoint have no padding
};

/// What has been learned: positions and cells in the order of their first visit, and the values between them.
class GoalTable {
 public:
  /// Throws ConfigError when a setting is out of range.
  GoalTable(const GoalMap& map, int actions);

  const GoalMap& map() const noexcept { return map_; }
  int actions() const noexcept { return actions_; }
  int places() const noexcept { return static_cast<int>(cell_of_.size()); }
  int goals() const noexcept { return static_cast<int>(cells_.size()); }
  /// The corner of a goal's square, in cells.
  Spot cell(int goal) const { return cells_[static_cast<std::size_t>(goal)]; }
  /// The position of a place.
  Spot position(int place) const { return positions_[static_cast<std::size_t>(place)]; }
  int goal_at(int place) const { return cell_of_[static_cast<std::size_t>(place)]; }

  /// The number of the place that an observation shows; -1: never visited.
  int find(std::span<const float> observation) const;
  /// The same; a new place is added.
  int meet(std::span<const float> observation);

  /// One transition, for all goals: arriving is worth 1, being lost on the way 0, else the discounted best from there.
  void learn(const GoalTransition& moved, double discount, double rate);
  /// All transitions at once, weighted by how often they occurred: the values then satisfy learn()'s equation in the
  /// mean, without the noise of the last steps, which could make a frozen best action turn back on its way.
  void settle(std::span<const GoalTransition> all, double discount);
  /// 0 where nothing is known.
  float value(int place, int goal, Action action) const;
  /// The first best action; -1 where nothing is known of the way.
  Action best(int place, int goal) const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  Spot position_of(std::span<const float> observation) const;
  std::vector<float>& row(int place);

  GoalMap map_;
  int actions_;
  std::map<Spot, int> place_numbers_, goal_numbers_;
  std::vector<Spot> positions_, cells_;
  std::vector<int> cell_of_;
  std::vector<std::vector<float>> values_;  // per place [goal][action], as long as goals were known when last touched
};

/// Positions along each side of a map.
inline constexpr int positions_per_side = 256;
/// The position that an observation shows. Throws Error where a number is not a whole one from 0 to 255.
Spot position_in(const GoalMap& map, std::span<const float> observation);
Spot position_in(const GoalMap& map, std::span<const double> observation);
/// `best` where it is known (0 or above); else a random direction is kept for a while: single random steps lead nowhere
/// in a maze.
Action best_or_wander(Action best, int actions, ExplorerMemory& memory, Rng& rng);

}  // namespace politex::inline policy
