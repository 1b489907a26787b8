// The Ms. Pac-Man figure on made-up games: what it measures, how it judges and what it shows.
#include "politex/figures/ms_pacman/figure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

using Player = neural::Episode::Player;

/// A game every hundred steps; with exploration every second one is the explorer's.
GameRun played(std::size_t variant, std::uint64_t seed, const GameGrid& grid, double learned, double explorer) {
  GameRun run{.variant = variant, .seed = seed, .episodes = {}, .summary = "{\"phases\":4,\"learner_steps\":9}"};
  for (std::int64_t step = 100; step <= grid.steps; step += 100) {
    const bool explores = variant == 0 && step / 100 % 2 == 0;
    const double wobble = static_cast<double>((step / 100 * 7 + static_cast<std::int64_t>(seed) * 3) % 11) - 5.0;
    run.episodes.push_back({step, (explores ? explorer : learned) + wobble + static_cast<double>(seed),
                            explores ? Player::explorer : Player::policy});
  }
  return run;
}

std::vector<GameRun> games(const GameGrid& grid, double with, double without, double explorer, double unrest = 0.0) {
  std::vector<GameRun> runs;
  for (std::size_t variant = 0; variant < 2; ++variant)
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(grid.seeds); ++seed)
      runs.push_back(
          played(variant, seed, grid, variant == 0 ? with + (seed % 2 == 0 ? unrest : -unrest) : without, explorer));
  return runs;
}

GameShow small_show() {
  GoalPolicy map;
  map.actions = 9;
  map.cells = {{0, 0}, {1, 0}};
  for (int x = 0; x < 16; ++x) map.positions.push_back({x, 3});
  map.choice.assign(map.positions.size() * 2, 0);
  ExplorerFacts facts{.lines = {{"goals", 0.7, 54.0, 500.0, 100.0, 20.0}, {"uniform", 0.1, 30.0, 220.0, 100.0, 20.0}},
                      .positions = 16.0,
                      .cells = 2.0,
                      .steps = 100.0};
  ShownGame game;
  game.name = "one";
  game.label = "A game";
  game.actions = {0, 1, 2, 3};
  game.points = {10.0, 0.0, 0.0, 110.0};
  game.spots = {{0, 3}, {1, 3}, {2, 3}, {90, 3}};
  game.ended = true;
  for (const std::size_t step : {0U, 2U})
    game.frames.push_back({step, 10.0 * static_cast<double>(step), {2, 1, {1, 2, 3, 4, 5, 6}}});
  ShownGame other = game;
  other.name = "other";
  other.frames.clear();
  other.without = "it was dark";
  other.ended = false;
  return {.explorer = facts, .map = map, .games = {game, other}};
}

// At its own length a file is the run of the figure, and no file has a key without effect.
TEST(MsPacmanFigure, ShippedExperimentsAreItsRuns) {
  const auto experiments = std::filesystem::path(POLITEX_SOURCE_DIR) / "experiments";
  const std::vector<Cell> cells = game_cells(game_grid(false, false, 1), "/figure");
  ASSERT_EQ(cells.size(), 3U);
  for (const Cell& cell : cells) {
    // The explorer's file is the one that the figure trained, the seed one that nothing was chosen on.
    std::vector<std::string> file{fmt::format("seed={}", cell.seed)};
    for (const std::string& setting : cell.overrides)
      if (setting.starts_with("explorer.file=")) file.push_back(setting);
    const auto read = read_config(experiments / cell.experiment, file);
    EXPECT_EQ(differences(read.config, config_of(cell)), std::vector<std::string>{}) << cell.name;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << cell.name;
  }
  EXPECT_EQ(cells[0].overrides.back(), "explorer.file=/figure/runs/explorer,steps=120000/explorer.policy");
  EXPECT_EQ(cells[2].name, "explorer,steps=120000");
  EXPECT_LT(cells[2].stage, cells[0].stage);
}

TEST(MsPacmanFigure, ScoresByHand) {
  GameGrid grid = game_grid(false, false);
  grid.steps = 1000;
  const GameRun run{.variant = 0,
                    .seed = 1,
                    .episodes = {{100, 10.0, Player::policy},
                                 {300, 40.0, Player::explorer},
                                 {700, 5.0, Player::both},
                                 {801, 100.0, Player::policy},
                                 {1000, 300.0, Player::policy}},
                    .summary = {}};
  EXPECT_EQ(run.final_score(grid), 200.0);
  EXPECT_EQ(run.explorer_score(), 40.0);
  EXPECT_EQ(run.points_a_thousand(grid), 455.0);
}

TEST(MsPacmanFigure, PairsAreTakenSeedBySeed) {
  const GameGrid grid = game_grid(false, false);
  std::vector<GameRun> runs = games(grid, 900.0, 1000.0, 500.0);
  std::swap(runs[0], runs[3]);  // whatever their order
  const auto score = [](const GameRun& run, const GameGrid& of) { return run.final_score(of); };
  for (const double difference : paired(runs, score, grid)) EXPECT_NEAR(difference, -100.0, 1.0);
}

TEST(MsPacmanFigure, VerdictsFollowTheGames) {
  const GameGrid grid = game_grid(false, false);
  const auto words = [&](const std::vector<GameRun>& runs) {
    std::vector<std::string> verdicts;
    for (const Claim& claim : game_claims(runs, grid)) verdicts.push_back(judge(claim).word);
    return verdicts;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(games(grid, 900.0, 1000.0, 500.0)), (Words{"holds", "holds"}));
  EXPECT_EQ(words(games(grid, 1500.0, 1000.0, 500.0)), (Words{"fails", "fails"}));  // it even collects as much
  EXPECT_EQ(words(games(grid, 1000.0, 1000.0, 500.0)), (Words{"holds", "holds"}));  // as good is no better
  EXPECT_EQ(words(games(grid, 1000.0, 1000.0, 500.0, 300.0)), (Words{"no power", "holds"}));
  EXPECT_EQ(words(games(grid, 900.0, 1000.0, 2000.0)), (Words{"holds", "fails"}));
}

TEST(MsPacmanFigure, WritesItsDirectory) {
  const GameGrid grid = game_grid(true, false);
  const auto directory =
      std::filesystem::path(testing::TempDir()) / fmt::format("politex_ms_pacman_figure_{}", getpid());
  std::filesystem::create_directories(directory);
  const FigureReport report = game_report(games(grid, 900.0, 1000.0, 500.0), grid, small_show());
  EXPECT_EQ(report.claims.size(), 2U);
  write_report(report, directory, "the command");
  const std::string page = bytes_of(directory / "report.html");
  for (const char* part : {"quick version", "the command", "goal explorer", "uniformly random", "0.700", "A game",
                           "<svg", "points per 1000 steps", "data:image/png;base64,iVBOR", "step 2<br>20 points",
                           "A game: 4 steps, 120 points", "its first 4 steps", "No pictures: it was dark."})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  const std::string rows = bytes_of(directory / "runs.csv");
  EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 2 * grid.seeds);
  for (const char* name : {"ms_pacman.svg", "ms_pacman.png", "seeds.svg", "curves.csv"})
    EXPECT_GT(std::filesystem::file_size(directory / name), 100U) << name;
  EXPECT_EQ(bytes_of(directory / "film_one.png"), png(strip_of(small_show().games[0].frames)));
  EXPECT_FALSE(std::filesystem::exists(directory / "film_other.png"));
  std::filesystem::remove_all(directory);
}

TEST(MsPacmanFigure, ASampledGameIsReadFromItsBytes) {
  const auto directory =
      std::filesystem::path(testing::TempDir()) / fmt::format("politex_ms_pacman_sample_{}", getpid());
  std::filesystem::create_directories(directory);
  write_text(directory / "sample_episode.csv",
             "step,action,reward,observation_0,observation_1\n0,2,10,0.34509805,1\n1,2,50,0.34901962,0\n");
  const ShownGame game = read_sample_game(directory, {.x = 0, .y = 1, .cell = 8});
  EXPECT_EQ(game.spots, (std::vector<Spot>{{88, 255}, {89, 0}}));
  EXPECT_EQ(game.actions, (std::vector<Action>{2, 2}));
  EXPECT_EQ(game.score(), 60.0);
  EXPECT_THROW(read_sample_game(directory, {.x = 0, .y = 2, .cell = 8}), Error) << "too few numbers";
  write_text(directory / "sample_episode.csv", "step,action,reward,observation_0\n0,2,10,1.5\n");
  EXPECT_THROW(read_sample_game(directory, {.x = 0, .y = 0, .cell = 8}), Error) << "no byte";
  std::filesystem::remove_all(directory);
}

TEST(MsPacmanFigure, AJumpIsNotALineOnTheMap) {
  const GameShow show = small_show();
  const std::string svg = map_svg(show.map, show.games[0]);
  std::size_t lines = 0;
  for (std::size_t at = svg.find("<line"); at != std::string::npos; at = svg.find("<line", at + 1)) ++lines;
  EXPECT_EQ(lines, 2U);
  EXPECT_NE(svg.find(">2</text>"), std::string::npos) << "the second frame has its place";
}

TEST(MsPacmanFigure, ExplorerFactsComeFromTheSummary) {
  const ExplorerFacts facts = read_explorer_facts(
      "{\"steps\":120000,\"places\":1700,\"cells\":194,\"goals\":{\"goals\":{\"goals\":100,\"reached\":0.7,\"games\":"
      "20,"
      "\"cells_a_game\":54.5,\"score_a_game\":null}}}");
  ASSERT_EQ(facts.lines.size(), 1U);
  EXPECT_EQ(facts.lines[0].reached, 0.7);
  EXPECT_TRUE(std::isnan(facts.lines[0].score));
  EXPECT_EQ(facts.cells, 194.0);
  EXPECT_THROW(read_explorer_facts("{\"steps\":1}"), Error);
}

}  // namespace
}  // namespace politex
