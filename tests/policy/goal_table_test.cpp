// Goal-conditioned exploration on a small maze, against breadth-first distances.
#include "politex/policy/goal_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <queue>

#include "politex/base/error.hpp"
#include "politex/policy/always.hpp"
#include "politex/policy/goal_explorer.hpp"
#include "politex/policy/goal_trainer.hpp"

namespace politex {
namespace {

/// Walls as '#'; actions: up, right, down, left; running into a wall stays. An observation is (7, x, y).
class Maze final : public EnvironmentBlock {
 public:
  static constexpr int side = 7;
  static constexpr std::array<const char*, side> walls{".......", ".##.##.", ".#...#.", ".#.#.#.",
                                                       "...#...", ".###.#.", "......."};
  static constexpr std::array<Spot, 4> moves{Spot{0, -1}, Spot{1, 0}, Spot{0, 1}, Spot{-1, 0}};

  explicit Maze(int count) : at_(static_cast<std::size_t>(count)) {
    space_.name = "maze";
    space_.actions = 4;
    space_.ranges.assign(3, {0.0, 255.0});
  }
  static bool free(Spot spot) {
    return spot.x >= 0 && spot.y >= 0 && spot.x < side && spot.y < side &&
           walls[static_cast<std::size_t>(spot.y)][spot.x] == '.';
  }
  static Spot after(Spot spot, Action action) {
    const Spot move = moves[static_cast<std::size_t>(action)];
    const Spot to{spot.x + move.x, spot.y + move.y};
    return free(to) ? to : spot;
  }
  static std::vector<float> seen(Spot spot) { return {7.0F, static_cast<float>(spot.x), static_cast<float>(spot.y)}; }

  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(at_.size()); }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_[i] = after(at_[i], actions[i]);
      into[i] = {};
    }
  }
  void observe(int which, std::span<float> into) const override {
    std::ranges::copy(seen(at_[static_cast<std::size_t>(which)]), into.begin());
  }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  void last(int, std::span<float>) const override {}
  bool can_save() const override { return true; }
  void save(int which, ByteWriter& to) const override {
    if (which == 0) to.put(at_);
  }
  void restore(int which, ByteReader& from) override {
    if (which == 0) from.get(at_);
  }

 private:
  Space space_;
  std::vector<Spot> at_;
};

constexpr GoalMap maze_map{.x = 1, .y = 2, .cell = 1};

std::vector<Spot> free_spots() {
  std::vector<Spot> spots;
  for (int y = 0; y < Maze::side; ++y)
    for (int x = 0; x < Maze::side; ++x)
      if (Maze::free({x, y})) spots.push_back({x, y});
  return spots;
}

/// Steps from every spot to `goal`, by breadth first search backwards (moves can be undone).
std::map<Spot, int> distances(Spot goal) {
  std::map<Spot, int> steps{{goal, 0}};
  std::queue<Spot> open;
  open.push(goal);
  while (!open.empty()) {
    const Spot spot = open.front();
    open.pop();
    for (Action a = 0; a < 4; ++a)
      if (const Spot next = Maze::after(spot, a); steps.try_emplace(next, steps[spot] + 1).second) open.push(next);
  }
  return steps;
}

/// Every transition of the maze.
std::vector<GoalTransition> maze_transitions(GoalTable& table) {
  for (const Spot spot : free_spots()) table.meet(Maze::seen(spot));
  std::vector<GoalTransition> all;
  for (const Spot spot : free_spots())
    for (Action a = 0; a < 4; ++a)
      all.push_back(
          {.from = table.find(Maze::seen(spot)), .to = table.find(Maze::seen(Maze::after(spot, a))), .action = a});
  return all;
}

/// Learned from until nothing changes.
GoalTable learned_maze(double discount) {
  GoalTable table(maze_map, 4);
  const auto all = maze_transitions(table);
  for (int sweep = 0; sweep < 40; ++sweep)
    for (const GoalTransition& moved : all) table.learn(moved, discount, 1.0);
  return table;
}

TEST(GoalTable, ValuesAreDiscountedDistances) {
  const double discount = 0.9;
  const GoalTable table = learned_maze(discount);
  ASSERT_EQ(table.goals(), static_cast<int>(free_spots().size()));
  for (const Spot goal_spot : free_spots()) {
    const int goal = table.goal_at(table.find(Maze::seen(goal_spot)));
    const auto steps = distances(goal_spot);
    for (const Spot spot : free_spots()) {
      const int place = table.find(Maze::seen(spot));
      for (Action a = 0; a < 4; ++a) {
        const int after = steps.at(Maze::after(spot, a));
        EXPECT_NEAR(table.value(place, goal, a), std::pow(discount, after), 1e-5);
      }
      if (spot != goal_spot) {
        EXPECT_EQ(steps.at(Maze::after(spot, table.best(place, goal))), steps.at(spot) - 1);
      }
    }
  }
}

TEST(GoalTable, BeingLostOnTheWayIsWorthNothing) {
  GoalTable table(maze_map, 4);
  const int a = table.meet(Maze::seen({0, 0})), b = table.meet(Maze::seen({1, 0})), c = table.meet(Maze::seen({2, 0}));
  table.learn({.from = b, .to = c, .action = 1}, 0.9, 1.0);
  table.learn({.from = a, .to = b, .action = 1, .lost = 1}, 0.9, 1.0);
  EXPECT_EQ(table.value(a, table.goal_at(c), 1), 0.0F);
  EXPECT_EQ(table.value(a, table.goal_at(b), 1), 1.0F);  // it was reached before it was lost
  EXPECT_EQ(table.best(a, table.goal_at(c)), -1);
  table.learn({.from = a, .to = b, .action = 1}, 0.9, 1.0);
  EXPECT_FLOAT_EQ(table.value(a, table.goal_at(c), 1), 0.9F);
}

TEST(GoalTable, SettlesOnWhatWasSeenWhateverItHeldBefore) {
  const GoalTable learned = learned_maze(0.9);
  GoalTable table(maze_map, 4);
  const auto all = maze_transitions(table);
  for (const GoalTransition& moved : all) table.learn(moved, 0.9, 0.3);  // not done by far
  table.settle(all, 0.9);
  for (int place = 0; place < table.places(); ++place)
    for (int goal = 0; goal < table.goals(); ++goal)
      for (Action a = 0; a < 4; ++a) EXPECT_NEAR(table.value(place, goal, a), learned.value(place, goal, a), 2e-4F);
}

TEST(GoalTable, SettlesOnTheMeanOfWhatAnActionDid) {
  // From a, action 1: twice to b, once lost at b, once nowhere. From b it leads to c.
  GoalTable table(maze_map, 4);
  const int a = table.meet(Maze::seen({0, 0})), b = table.meet(Maze::seen({1, 0})), c = table.meet(Maze::seen({2, 0}));
  table.settle(std::vector<GoalTransition>{{a, b, 1}, {b, c, 1}, {a, a, 1}, {a, b, 1}, {a, b, 1, 1}}, 0.9);
  EXPECT_EQ(table.value(b, table.goal_at(c), 1), 1.0F);
  // v = (2 * .9 * 1 + 0 + .9 v) / 4, and (3 + .9 w) / 4 for b itself.
  EXPECT_NEAR(table.value(a, table.goal_at(c), 1), 1.8 / 3.1, 1e-4);
  EXPECT_NEAR(table.value(a, table.goal_at(b), 1), 3.0 / 3.1, 1e-4);
  EXPECT_EQ(table.value(a, table.goal_at(c), 0), 0.0F);
  EXPECT_EQ(table.best(a, table.goal_at(c)), 1);
  EXPECT_EQ(table.best(c, table.goal_at(a)), -1);
}

TEST(GoalExplorer, DrivesFromGoalToGoalByShortestWays) {
  const GoalExplorer explorer(GoalPolicy("maze", learned_maze(0.9), 200), 0.0);
  const GoalTable names = learned_maze(0.9);
  ExplorerMemory memory;
  Rng rng(3);
  Spot at{0, 0};
  int arrivals = 0;
  for (int t = 0; t < 500; ++t) {
    const std::int64_t before = memory.goal;
    const Action action = explorer.act(Maze::seen(at), memory, rng);
    if (memory.goal != before) ++arrivals;
    const Spot goal = names.cell(static_cast<int>(memory.goal));
    const auto steps = distances(goal);
    const Spot next = Maze::after(at, action);
    if (at != goal) {
      ASSERT_EQ(steps.at(next), steps.at(at) - 1);
    }
    at = next;
  }
  EXPECT_GT(arrivals, 500 / 24);  // no way in this maze is longer
}

TEST(GoalExplorer, ReadsFloatsAndDoublesAlike) {
  const GoalPolicy policy("maze", learned_maze(0.9), 200);
  const GoalExplorer explorer(policy, 0.1);
  ExplorerMemory one, other;
  Rng rng(8), same(8);
  for (const Spot spot : free_spots()) {
    const std::vector<float> seen = Maze::seen(spot);
    const std::vector<double> wide(seen.begin(), seen.end());
    EXPECT_EQ(explorer.act(seen, one, rng), explorer.act(wide, other, same));
  }
  EXPECT_THROW(explorer.act(std::vector<float>{0.0F, 0.5F, 1.0F}, one, rng), Error);
  EXPECT_THROW(explorer.act(std::vector<float>{0.0F, 1.0F}, one, rng), Error);
}

TEST(GoalExplorer, GivesUpAfterTheLimit) {
  GoalPolicy policy("maze", learned_maze(0.9), 5);
  std::ranges::fill(policy.choice, std::int8_t{0});  // always up: it stays at the top
  const GoalExplorer explorer(policy, 0.0);
  ExplorerMemory memory;
  Rng rng(4);
  for (int t = 0; t < 50; ++t) {
    explorer.act(Maze::seen({0, 0}), memory, rng);
    EXPECT_GE(memory.left, 0);
    EXPECT_LT(memory.left, 5);
  }
}

TEST(GoalTrainer, FindsTheMazeAndLearnsIt) {
  GoalSettings settings;
  settings.map = maze_map;
  settings.limit = 50;
  GoalTrainer trainer(settings, std::make_unique<Maze>(3), 1);
  for (int round = 0; round < 4000; ++round) trainer.round();
  EXPECT_EQ(trainer.steps(), 12000);
  ASSERT_EQ(trainer.table().goals(), static_cast<int>(free_spots().size()));
  const GoalTrainer::Tally before = trainer.tally();
  for (int round = 0; round < 1000; ++round) trainer.round();
  // A tenth of its actions is random, and yet it finds nearly every goal in time; the ways are 8 steps on average.
  EXPECT_GT(static_cast<double>(trainer.tally().reached - before.reached),
            0.95 * static_cast<double>(trainer.tally().drawn - before.drawn));
}

TEST(GoalTrainer, ResumesAfterABreakWithTheSameBits) {
  GoalSettings settings;
  settings.map = maze_map;
  GoalTrainer whole(settings, std::make_unique<Maze>(2), 5);
  for (int round = 0; round < 300; ++round) whole.round();
  ByteWriter saved;
  whole.save(saved);
  GoalTrainer resumed(settings, std::make_unique<Maze>(2), 5);
  ByteReader reader(saved.bytes());
  resumed.restore(reader);
  EXPECT_TRUE(reader.empty());
  for (int round = 0; round < 300; ++round) {
    whole.round();
    resumed.round();
  }
  ByteWriter one, other;
  whole.save(one);
  resumed.save(other);
  EXPECT_EQ(one.bytes(), other.bytes());
}

TEST(GoalMeasure, CountsGoalsOfThoseWhoKnowTheWayAndOfThoseWhoDoNot) {
  const GoalPolicy policy("maze", learned_maze(0.9), 24);
  Maze mazes(2);
  const GoalMeasure driven = measure_goals(mazes, GoalExplorer(policy, 0.0), policy, 2000, 1);
  EXPECT_EQ(driven.reached, driven.goals);  // no way is longer than the limit
  EXPECT_GT(driven.goals, 2 * 2000 / 24);
  EXPECT_EQ(driven.games, 0);
  EXPECT_TRUE(std::isnan(driven.score_a_game));
  // Always up: only the goals in the top row of its column are ever reached, one in 34.
  const GoalMeasure idle = measure_goals(mazes, AlwaysExplorer(0), policy, 2000, 1);
  EXPECT_LT(idle.reached, idle.goals / 10);
  EXPECT_GE(idle.goals, 2 * 2000 / 24 - 2);
}

TEST(GoalPolicy, SurvivesItsFile) {
  const GoalPolicy policy("maze", learned_maze(0.9), 77);
  const std::string text = policy.text();
  EXPECT_TRUE(is_goal_policy(text));
  const GoalPolicy back = GoalPolicy::read("explorer.file", "a.policy", text);
  EXPECT_EQ(back.text(), text);
  EXPECT_EQ(back.choice, policy.choice);
  EXPECT_EQ(back.limit, 77);
}

TEST(GoalPolicy, RefusesWhatIsNone) {
  const std::string good = GoalPolicy("maze", learned_maze(0.9), 77).text();
  const auto spoil = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return text;
  };
  for (const std::string& text : {std::string("{}"), std::string("["), good.substr(0, good.size() / 2),
                                  spoil("\"goals\"", "\"roles\""), spoil("\"limit\": 77", "\"limit\": 0"),
                                  spoil("\"actions\": 4", "\"actions\": 2"), spoil("\"cell\": 1", "\"cell\": 0")}) {
    try {
      GoalPolicy::read("explorer.file", "a.policy", text);
      ADD_FAILURE() << text.substr(0, 100);
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), text.find("\"cell\": 0") != std::string::npos ? "goal.cell" : "explorer.file");
    }
  }
}

}  // namespace
}  // namespace politex
