#include "politex/studies/control/behaviour.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "politex/base/error.hpp"
#include "politex/evaluate/learned_values.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/linear_run.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

/// A run of 40,000 steps that reaches the goal, in a directory with its state.
class ControlBehaviourTest : public testing::Test {
 protected:
  ControlBehaviourTest()
      : config_(build_config(parse_toml("steps = 40000\nseed = 3\n[environment]\nname = \"mountain_car\"\n"
                                        "[algorithm]\nname = \"ee_politex\"\nhorizon = 100\neta = 3.0\n"
                                        "[schedule]\nkind = \"fixed\"\nrollouts = 10\nexplore = 100\nfollow = 300\n"
                                        "[explorer]\nname = \"learned\"\n"
                                        "[features]\nname = \"tiles\"\ntilings = 4\ntiles = 8\n",
                                        "test"))
                    .config) {
    fs::remove_all(place_);
    const RunDirectory directory = RunDirectory::create(place_);
    run_ = make_run(config_, {.exact = false});
    drive(*run_, config_, {.directory = &directory, .summary_only = true, .keep_state = true});
  }
  ~ControlBehaviourTest() override { fs::remove_all(place_); }

  const fs::path place_ = fs::path(testing::TempDir()) / fmt::format("politex_behaviour_{}", getpid());
  Config config_;
  std::unique_ptr<politex::Run> run_;
};

TEST_F(ControlBehaviourTest, ShowsTheActionsAndValuesOfTheRunItself) {
  EXPECT_FALSE(fs::exists(place_ / "progress.csv"));
  const ControlView& view = control_views().front();
  const ControlBehaviour seen = control_behaviour(place_, view);
  const auto& linear = dynamic_cast<const LinearRun&>(*run_);
  const LearnedValues learned(linear);
  std::vector<double> q(3);
  int known = 0;
  const std::size_t rows = seen.value.size(), columns = seen.value.front().size();
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      // The first row is the top, which is the highest velocity.
      const double x = -1.2 + 1.7 * (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
      const double y = 0.07 - 0.14 * (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
      learned.q(std::vector{x + 0.5, y / 0.07}, q);
      const double best = std::ranges::min(q);
      if (best == std::ranges::max(q)) {
        EXPECT_TRUE(std::isnan(seen.value[row][column]));
        continue;
      }
      ++known;
      EXPECT_NEAR(seen.value[row][column], best / static_cast<double>(linear.loop().phases()), 1e-9);
      EXPECT_NEAR(q[static_cast<std::size_t>(seen.action[row][column])], best, 1e-9);
    }
  EXPECT_GT(known, 100);
}

TEST_F(ControlBehaviourTest, TheEpisodeFollowsTheRulesOfTheEnvironment) {
  const ControlBehaviour seen = control_behaviour(place_, control_views().front());
  ASSERT_GT(seen.steps.size(), 20u);
  for (std::size_t i = 0; i + 1 < seen.steps.size(); ++i) {
    const auto [position, velocity] = control_views().front().point(seen.steps[i].observation);
    const double next =
        std::clamp(velocity + 0.001 * (seen.steps[i].action - 1) - 0.0025 * std::cos(3 * position), -0.07, 0.07);
    const auto [to, moved] = control_views().front().point(seen.steps[i + 1].observation);
    if (position + next <= -1.2) continue;  // the wall
    EXPECT_NEAR(moved, next, 1e-12) << i;
    EXPECT_NEAR(to, position + next, 1e-12) << i;
  }
  const std::string csv = control_steps_csv(std::vector{seen});
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), seen.steps.size() + 1);
  EXPECT_EQ(csv.substr(csv.find('\n') + 1, 15), "mountain_car,0,");
}

// Of mountain car with a limit of 200: goals are the steps of cost 0, and an episode has at most 200 steps.
TEST_F(ControlBehaviourTest, AloneCountsEpisodesOfBothEnds) {
  const ControlAlone alone = control_alone(place_, 20'000);
  const double goals = (1.0 - alone.cost) * 20'000;
  EXPECT_NEAR(goals, std::round(goals), 1e-6);
  EXPECT_LE(alone.episode, 200.0);
  // Every episode ends by a goal or at the limit: E episodes have alone.episode E steps in total, of which at most one
  // episode is missing.
  EXPECT_GE(alone.episode, (20'000 - 200.0) / (goals + (20'000 - goals) / 200.0));
  EXPECT_EQ(control_alone(place_, 20'000).cost, alone.cost);
}

TEST_F(ControlBehaviourTest, NamesARunThatKeptNoState) {
  fs::remove(place_ / "final.checkpoint");
  EXPECT_THROW(control_alone(place_, 10), ConfigError);
}

}  // namespace
}  // namespace politex
