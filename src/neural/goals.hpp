// Goal-conditioned exploration, for worlds that show where the player stands: drive to a random place of the map, then
// to the next. What is learned is a table Q(place, goal, action) of discounted chances to arrive, on a reward of its
// own (1 on arriving), never on the world's cost; and in hindsight: every transition is learned from for every goal at
// once, as if that goal had been meant.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/outside.hpp"
#include "politex/neural/explorer.hpp"

namespace politex::neural {

struct Spot {
  int x = 0, y = 0;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

/// Where an observation tells the position, and how coarse a goal is.
struct GoalMap {
  int x = 10, y = 16;  // numbers of an observation, 0 to 255 (Ms. Pac-Man's RAM)
  int cell = 8;        // a goal is a square of so many positions a side

  friend bool operator==(const GoalMap&, const GoalMap&) = default;
};

struct GoalSettings {
  GoalMap map;
  std::int64_t limit = 200;  // steps to reach a goal in; then the next one is drawn
  double discount = 0.97;
  double rate = 0.5;         // of the newest transition
  double replay_rate = 0.3;  // of remembered ones
  int replays = 4;           // remembered transitions learned from at every step
  double epsilon = 0.1;      // of random actions while learning
};

/// A step between places.
struct GoalTransition {
  int from = 0, to = 0;
  Action action = 0;
  std::int32_t lost = 0;  // no bool: the bytes of a checkpoint have no gaps
};

/// What has been learned: positions and cells as they were met, and the values between them.
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

  /// The number of the place that an observation shows; -1: never met.
  int find(std::span<const float> observation) const;
  /// The same, taken in when it is new.
  int meet(std::span<const float> observation);

  /// One transition, for all goals: arriving is worth 1, being lost on the way 0, else the discounted best from there.
  void learn(const GoalTransition& moved, double discount, double rate);
  /// All of them at once, each as likely as it was frequent: the values then satisfy learn()'s equation in the mean,
  /// and no longer carry the noise of the last steps, by which a frozen best action may turn back on its way.
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

/// Learns a table while it plays, epsilon-greedily, towards goals drawn uniformly from the cells met so far.
class GoalTrainer {
 public:
  /// Throws ConfigError when a setting is out of range.
  GoalTrainer(const GoalSettings& settings, std::unique_ptr<OutsideBlock> block, std::uint64_t seed);

  /// One step of every environment of the block.
  void round();
  std::int64_t steps() const noexcept { return steps_; }
  const GoalTable& table() const noexcept { return table_; }
  /// The table settled on everything that was seen: what is worth freezing.
  GoalTable settled() const;
  const OutsideBlock& block() const noexcept { return *block_; }
  struct Tally {
    std::int64_t drawn = 0, reached = 0;  // goals that came to an end: reached, or the limit passed
    double cost = 0.0;                    // of the world, which is counted and never learned from
  };
  const Tally& tally() const noexcept { return tally_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  void look(int which);
  Action choose(int which);

  GoalSettings settings_;
  std::unique_ptr<OutsideBlock> block_;
  GoalTable table_;
  Rng choose_, replay_;
  std::vector<ExplorerMemory> memories_;
  std::vector<int> standing_;  // the place of every environment
  std::vector<GoalTransition> remembered_;
  Tally tally_;
  std::int64_t steps_ = 0;
  std::vector<float> observation_;
  std::vector<Action> actions_;
  std::vector<OutsideStep> moved_;
};

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
  /// Throws ConfigError that names `key` when the text is no such policy.
  static GoalPolicy read(const std::string& key, const std::string& text);
};

/// How well a policy gets about on a map.
struct GoalMeasure {
  std::int64_t goals = 0, reached = 0;  // drawn uniformly, one after the other; reached within the limit
  std::int64_t games = 0;               // that ended
  double cells_a_game = 0.0;            // different cells visited, on average; NaN without games
  double score_a_game = 0.0;            // NaN without games
};
/// Lets `explorer` play `rounds` rounds. Goals come from `map`; who has none in mind is measured by the same draws.
GoalMeasure measure_goals(OutsideBlock& block, const Explorer& explorer, const GoalPolicy& map, std::int64_t rounds,
                          std::uint64_t seed);

/// Whether a policy file holds goals, not a network.
bool is_goal_policy(const std::string& text);

/// Drives to goals drawn uniformly from the known cells; a new one when it arrives or when the limit has passed.
class GoalExplorer final : public Explorer {
 public:
  /// Observations times `scale` are the numbers that the map looks at: 255 where bytes are shown to a network as 0
  /// to 1.
  GoalExplorer(GoalPolicy policy, double epsilon, float scale = 1.0F);
  Action act(std::span<const float> observation, ExplorerMemory& memory, Rng& rng) const override;

 private:
  GoalPolicy policy_;
  double epsilon_;
  float scale_;
  std::vector<std::int16_t> place_at_, goal_at_;  // by position
};

}  // namespace politex::neural
