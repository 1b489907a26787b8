// Training an explorer that drives to goals, from a configuration to its policy file and back into a neural run.
#include "politex/run/goal_run.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "politex/base/error.hpp"
#include "politex/run/neural_run.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

/// A corridor of 16 positions: left, right, stay. Every step costs 1, and a game is over after 40 of them.
class Corridor final : public EnvironmentBlock {
 public:
  explicit Corridor(int count) : at_(static_cast<std::size_t>(count), 8), last_(at_), ages_(at_.size()) {
    space_.name = "corridor";
    space_.actions = 3;
    space_.ranges.assign(2, {0.0, 255.0});
  }
  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(at_.size()); }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_[i] = std::clamp(at_[i] + (actions[i] == 0 ? -1 : actions[i] == 1 ? 1 : 0), 0, 15);
      last_[i] = at_[i];
      into[i] = {.cost = 1.0, .score = 2.0, .terminated = ++ages_[i] == 40};
      if (!into[i].terminated) continue;
      at_[i] = 8;
      ages_[i] = 0;
    }
  }
  void observe(int which, std::span<float> into) const override { show(at_, which, into); }
  void last(int which, std::span<float> into) const override { show(last_, which, into); }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  bool can_save() const override { return true; }
  void save(int which, ByteWriter& to) const override {
    if (which != 0) return;
    to.put(at_);
    to.put(ages_);
  }
  void restore(int which, ByteReader& from) override {
    if (which != 0) return;
    from.get(at_);
    from.get(ages_);
  }

 private:
  static void show(const std::vector<int>& positions, int which, std::span<float> into) {
    into[0] = static_cast<float>(positions[static_cast<std::size_t>(which)]);
    into[1] = 3.0F;
  }

  Space space_;
  std::vector<int> at_, last_, ages_;
};

Config corridor_config() {
  Config config;
  config.steps = 6'000;
  config.set("environment.name", "process");
  config.set("algorithm.name", "goals");
  config.set("algorithm.epsilon", 0.1);
  config.set("actors.environments", 6);
  config.set("goal.x", 0).set("goal.y", 1).set("goal.cell", 2).set("goal.limit", 40).set("goal.measure", 4'000);
  return config;
}

GoalRun corridor_run() {
  return {corridor_config(), [](int, int count) { return std::make_unique<Corridor>(count); }};
}

TEST(GoalRun, LearnsTheMapAndMeasuresItselfAndRandomPolicies) {
  GoalRun run = corridor_run();
  while (!run.done()) run.advance();
  std::vector<double> row;
  run.row(row);
  EXPECT_THAT(row, testing::ElementsAre(10, 6'000, 1, 1, testing::_, 16, 8));
  ASSERT_EQ(row.size(), 4 + run.columns().size());
  const Summary summary = run.summary();
  EXPECT_EQ(summary.steps, 6'000);
  EXPECT_EQ(summary.average_cost, 1.0);
  EXPECT_EQ(summary.average_cost_last_tenth, 1.0);
  ASSERT_TRUE(summary.goals);
  EXPECT_EQ(summary.goals->places, 16);
  EXPECT_EQ(summary.goals->cells, 8);
  ASSERT_EQ(summary.goals->measured.size(), 3U);
  const auto& driven = summary.goals->measured[0];
  EXPECT_EQ(driven.policy, "goals");
  EXPECT_EQ(driven.reached, 1.0);  // no place is farther than 15 steps, and two actions in a hundred are random
  EXPECT_EQ(driven.games, 4 * (4'000 / 4 / 40));
  EXPECT_EQ(driven.score_a_game, 80.0);
  for (std::size_t i : {1U, 2U}) EXPECT_LT(summary.goals->measured[i].reached, 0.9);
}

TEST(GoalRun, ResumesAfterABreakWithTheSameBits) {
  GoalRun whole = corridor_run(), cut = corridor_run(), resumed = corridor_run();
  while (!whole.done()) whole.advance();
  for (int block = 0; block < 4; ++block) cut.advance();
  ByteWriter saved;
  cut.save(saved);
  ByteReader reader(saved.bytes());
  resumed.restore(reader);
  EXPECT_TRUE(reader.empty());
  while (!resumed.done()) resumed.advance();
  EXPECT_EQ(resumed.summary().signature, whole.summary().signature);
  EXPECT_EQ(resumed.policy_file(), whole.policy_file());
  std::vector<double> one, other;
  whole.row(one);
  resumed.row(other);
  EXPECT_EQ(one, other);
}

TEST(GoalRun, NeedsAnEnvironmentThatShowsAPosition) {
  Config config = corridor_config();
  config.set("environment.name", "deep_sea");
  try {
    make_run(config);
    ADD_FAILURE() << "deep_sea has no position";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "environment.name");
  }
}

class GoalFile : public testing::Test {
 protected:
  GoalFile() : file_(std::filesystem::path(testing::TempDir()) / fmt::format("politex_corridor_{}.policy", getpid())) {
    GoalRun run = corridor_run();
    while (!run.done()) run.advance();
    text_ = run.policy_file();
    config_.steps = 2'000;
    config_.set("environment.name", "process");
    config_.set("algorithm.name", "neural_ee_politex");
    config_.set("explorer.name", "file");
    config_.set("explorer.file", file_.string());
    config_.set("schedule.explore", 50);
    config_.set("schedule.phase_steps", 50);
    config_.set("network.hidden", 16);
    config_.set("replay.capacity", 1'000);
    config_.set("learner.batch", 8);
    config_.set("actors.environments", 4);
    config_.set("actors.threads", 0);
  }
  ~GoalFile() override { std::filesystem::remove(file_); }
  NeuralRun explored_by(const std::string& text) {
    write_text(file_, text);
    return NeuralRun(config_, neural::external_blocks(std::make_shared<Corridor>(4)));
  }
  void expect_refusal(const std::string& what, const std::string& by, const std::string& words) {
    std::string text = text_;
    ASSERT_NE(text.find(what), std::string::npos);
    text.replace(text.find(what), what.size(), by);
    try {
      explored_by(text);
      ADD_FAILURE() << what;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "explorer.file");
      EXPECT_THAT(error.what(), testing::HasSubstr(words));
    }
  }

  std::filesystem::path file_;
  std::string text_;
  Config config_;
};

TEST_F(GoalFile, ExploresInANeuralRun) {
  NeuralRun run = explored_by(text_);
  while (!run.done()) run.advance();
  EXPECT_GT(run.agent().costs().explorer_steps, 400);
}

TEST_F(GoalFile, IsRefusedWhereItDoesNotFit) {
  expect_refusal("\"process\"", "\"atari\"", "an explorer of \"atari\"");
  expect_refusal("\"actions\": 3", "\"actions\": 4", "has 4 actions");
  expect_refusal("\"y\": 1", "\"y\": 7", "reads number 7");
}

}  // namespace
}  // namespace politex
