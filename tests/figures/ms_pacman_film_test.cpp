// Games played a second time for their pictures, with the plain server of tests/process: its walker is where the
// picture is white.
#include "politex/figures/ms_pacman/film.hpp"

#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/record/episodes.hpp"
#include "politex/run/neural_run.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

constexpr GoalMap walker_map{.x = 0, .y = 0, .cell = 1};

ProcessBlock walker(const char* word = "pictures") {
  ProcessSettings settings;
  settings.command = {POLITEX_PLAIN_SERVER, "size=40", word};
  settings.name = "walker";
  settings.first = 7;
  return ProcessBlock(settings);
}

/// To the end of its first episode, or `most` steps.
ShownGame walked(std::size_t most = 1000) {
  ProcessBlock block = walker();
  ShownGame game;
  std::vector<double> seen(1);
  StepResult moved;
  while (!moved.terminated && !moved.truncated && game.actions.size() < most) {
    block.observe(0, std::span(seen));
    game.spots.push_back({static_cast<int>(seen[0]), static_cast<int>(seen[0])});
    game.actions.push_back(game.actions.size() % 2 == 0 ? 1 : 0);
    block.step(0, std::span(&game.actions.back(), 1), std::span(&moved, 1));
    game.points.push_back(moved.score);
  }
  return game;
}

/// Where the first row of a walker's picture is white.
int white_at(const Picture& picture) {
  for (std::size_t x = 0; x < picture.width; ++x)
    if (picture.rgb[3 * x + 1] == 255) return static_cast<int>(x);
  return -1;
}

TEST(MsPacmanFilm, FramesAreThoseOfTheGame) {
  ShownGame game = walked();
  for (const std::size_t most : {2U, 5U, 10'000U}) {
    ProcessBlock block = walker();
    film_game(game, block, walker_map, most);
    EXPECT_TRUE(game.ended);
    const std::vector<std::size_t> wanted = film_steps(game.spots, most);
    ASSERT_EQ(game.frames.size(), wanted.size());
    ASSERT_GT(game.frames.size(), most > 5 ? 5U : 1U);
    double score = 0.0;
    for (std::size_t i = 0, step = 0; i < game.frames.size(); ++i) {
      const FilmFrame& frame = game.frames[i];
      EXPECT_EQ(frame.step, wanted[i]);
      EXPECT_EQ(white_at(frame.picture), game.spots[frame.step].x);
      for (; step < frame.step; ++step) score += game.points[step];
      EXPECT_EQ(frame.score, score);
    }
  }
  ShownGame cut = walked(7);
  ProcessBlock block = walker();
  film_game(cut, block, walker_map, 3);
  EXPECT_FALSE(cut.ended);
  EXPECT_EQ(cut.frames.size(), 3U);
}

TEST(MsPacmanFilm, PicturesAreTakenWhereThePlayerMoves) {
  using Steps = std::vector<std::size_t>;
  EXPECT_EQ(film_steps({}, 12), Steps{});
  EXPECT_EQ(film_steps({{1, 1}, {1, 1}}, 12), Steps{});
  const std::vector<Spot> spots = {{1, 1}, {1, 1}, {1, 1}, {2, 1}, {3, 1}, {3, 1}, {3, 2}, {3, 3}, {1, 1}, {1, 1}};
  EXPECT_EQ(film_steps(spots, 12), (Steps{3, 4, 6, 7, 8}));
  EXPECT_EQ(film_steps(spots, 3), (Steps{3, 6, 8}));
  EXPECT_EQ(film_steps(spots, 2), (Steps{3, 8}));
}

TEST(MsPacmanFilm, AGameThatGoesAnotherWayHasNoPictures) {
  const ShownGame game = walked();
  using Spoil = void (*)(ShownGame&);
  for (const Spoil spoil :
       {Spoil([](ShownGame& g) { ++g.spots[9].x; }), Spoil([](ShownGame& g) { g.points[9] += 1.0; }),
        Spoil([](ShownGame& g) { g.actions[9] = 2; }),
        Spoil([](ShownGame& g) {  // it would have continued
          g.actions.push_back(0);
          g.points.push_back(0.0);
          g.spots.push_back({1, 1});
        })}) {
    ShownGame other = game;
    spoil(other);
    ProcessBlock block = walker();
    film_game(other, block, walker_map, 4);
    EXPECT_TRUE(other.frames.empty());
    EXPECT_NE(other.without.find("second play differs at step"), std::string::npos) << other.without;
  }
  ShownGame blind = game;
  ProcessBlock dark = walker("nosave");
  film_game(blind, dark, walker_map, 4);
  EXPECT_TRUE(blind.frames.empty());
  EXPECT_NE(blind.without.find("no pictures"), std::string::npos);
}

// What reproduce ms_pacman counts on: the game that a run leaves is one of the environment after its own.
TEST(MsPacmanFilm, TheSampleOfARunCanBePlayedAgain) {
  Config config;
  config.set("environment.name", "process");
  config.set("environment.command", std::string(POLITEX_PLAIN_SERVER) + " float");
  config.set("algorithm.name", "neural_politex");
  config.set("schedule.phase_steps", 10);
  config.set("network.hidden", 8);
  config.set("learner.batch", 8);
  config.set("replay.capacity", 400);
  config.set("actors.environments", 4);
  config.set("actors.threads", 0);
  config.steps = 400;
  config.seed = 3;
  NeuralRun run(config, block_maker(config));
  while (!run.done()) run.advance();
  const std::string sample = run.sample_episode_csv();
  const auto again = start_processes(config, 4, 1, 1);
  std::vector<float> seen(2);
  StepResult moved;
  std::size_t steps = 0;
  for (const auto& row : csv_rows(sample)) {
    ASSERT_EQ(row.size(), 5U);
    ASSERT_FALSE(moved.terminated || moved.truncated) << "it continues after its end";
    again->observe(0, std::span(seen));
    EXPECT_EQ(seen,
              (std::vector<float>{static_cast<float>(csv_number(row[3])), static_cast<float>(csv_number(row[4]))}));
    const auto action = static_cast<Action>(csv_number(row[1]));
    again->step(0, std::span(&action, 1), std::span(&moved, 1));
    EXPECT_EQ(moved.score, csv_number(row[2]));
    ++steps;
  }
  EXPECT_TRUE(moved.terminated || moved.truncated);
  EXPECT_GT(steps, 1U);
}

TEST(MsPacmanFilm, AStripHoldsItsFramesInRowsOfSix) {
  std::vector<FilmFrame> frames;
  for (std::uint8_t i = 0; i < 8; ++i)
    frames.push_back({i, 0.0, {.height = 2, .width = 3, .rgb = std::vector<std::uint8_t>(18, i)}});
  const Picture strip = strip_of(frames);
  ASSERT_EQ(strip.width, 6U * 3 + 5 * 4);
  ASSERT_EQ(strip.height, 2U * 2 + 4);
  ASSERT_EQ(strip.rgb.size(), 3 * strip.width * strip.height);
  const auto at = [&](std::size_t y, std::size_t x) { return int{strip.rgb[3 * (y * strip.width + x)]}; };
  EXPECT_EQ(at(0, 0), 0);
  EXPECT_EQ(at(1, 2), 0);
  EXPECT_EQ(at(1, 3), 255);
  EXPECT_EQ(at(1, 35), 5);
  EXPECT_EQ(at(2, 0), 255);
  EXPECT_EQ(at(6, 0), 6);
  EXPECT_EQ(at(7, 9), 7);
  EXPECT_EQ(at(7, 14), 255);
  EXPECT_THROW(strip_of({}), Error);
  frames[1].picture = {.height = 1, .width = 1, .rgb = {1, 2, 3}};
  EXPECT_THROW(strip_of(frames), Error);
}

}  // namespace
}  // namespace politex
