#include "politex/figures/cartpole/figure.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/run/config_io.hpp"
#include "politex/sweep/sweep.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using Player = neural::Episode::Player;

constexpr double explorer_pays = 175.0;

/// An episode every thousand steps, the learned policy's returns given by a function of the share of the run.
template <class Return>
CartpoleRun made_up(std::size_t variant, std::uint64_t seed, const CartpoleGrid& grid, Return&& learned) {
  CartpoleRun run{.variant = variant, .seed = seed, .episodes = {}, .sample = {}, .summary = "{\"phases\":11}"};
  for (std::int64_t step = 1000; step <= grid.steps; step += 1000) {
    const bool explores = grid.variants[variant].explores && step / 1000 % 2 == 0;
    const double wobble = static_cast<double>(step / 1000 % 7) - 3.0;
    const double share = static_cast<double>(step) / static_cast<double>(grid.steps);
    run.episodes.push_back({step, explores ? explorer_pays + wobble : learned(share) + 0.1 * wobble,
                            explores ? Player::explorer : Player::policy});
  }
  for (int t = 0; t < 1000; ++t)
    run.sample.push_back(
        {.position = 0.001 * t, .angle = 3.0 - 0.003 * t, .action = t % 3, .reward = t > 900 ? 1.0 : 0.0});
  return run;
}

double does_not_move(double share) { return share < 0.03 ? -66.0 : 0.0; }
double rises(double share) { return share < 0.2 ? 0.0 : 700.0 * share; }

/// Data for which all claims of the paper hold.
std::vector<CartpoleRun> swing_up_story(const CartpoleGrid& grid) {
  std::vector<CartpoleRun> runs;
  for (std::size_t variant = 0; variant < grid.variants.size(); ++variant)
    for (int seed = 1; seed <= grid.seeds; ++seed)
      runs.push_back(made_up(variant, static_cast<std::uint64_t>(seed), grid,
                             grid.variants[variant].explores ? rises : does_not_move));
  return runs;
}

fs::path fresh_directory(const char* name) {
  fs::path path = fs::path(testing::TempDir()) / fmt::format("politex_{}_{}", name, getpid());
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

// At its own length a file is the run of the figure, and no file has a key without effect.
TEST(CartpoleGrid, ShippedExperimentsAreTheCurvesOfTheFigure) {
  const fs::path experiments = fs::path(POLITEX_SOURCE_DIR) / "experiments/cartpole";
  const CartpoleGrid grid = cartpole_grid(false, false, 1);
  const std::vector<Cell> cells = cartpole_cells(grid, "");
  ASSERT_EQ(cells.size(), 2U);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto read = read_config(experiments / fmt::format("{}.toml", grid.variants[i].name));
    Config of_figure = config_of(cells[i]);
    of_figure.seed = read.config.seed;
    EXPECT_EQ(differences(read.config, of_figure), std::vector<std::string>{}) << cells[i].name;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << cells[i].name;
  }
}

// The commands in the report are those that the figure runs; the explorer's file is the one that it trained.
TEST(CartpoleGrid, VariantsAreTheirSettings) {
  const CartpoleGrid grid = cartpole_grid(false, true, 1);
  const std::vector<Cell> cells = cartpole_cells(grid, "/figure");
  ASSERT_EQ(cells.size(), grid.variants.size() + 1);
  EXPECT_EQ(cells.back().experiment, "cartpole/explorer.toml");
  for (std::size_t i = 0; i < grid.variants.size(); ++i) {
    const CartpoleVariant& variant = grid.variants[i];
    EXPECT_EQ(cells[i].experiment, variant.explores ? "cartpole/ee_politex.toml" : "cartpole/politex.toml");
    EXPECT_GT(cells[i].stage, cells.back().stage);
    std::string settings;
    for (const std::string& setting : cells[i].overrides) {
      if (setting.starts_with("steps=")) continue;
      const bool file = setting.starts_with("explorer.file=");
      if (file) {
        EXPECT_EQ(setting, "explorer.file=/figure/runs/explorer/network.safetensors");
      }
      settings += (settings.empty() ? "" : " ") + (file ? "explorer.file=explorer.policy" : setting);
    }
    EXPECT_EQ(settings, variant.settings);
    EXPECT_NO_THROW(config_of(cells[i])) << variant.name;
  }
}

TEST(CartpoleGrid, AQuickVersionIsTheBeginningOfTheFigure) {
  const CartpoleGrid whole = cartpole_grid(false, false), quick = cartpole_grid(true, false);
  EXPECT_LT(quick.steps, whole.steps);
  Config config = config_of(cartpole_cells(quick, "")[1]);
  config.steps = whole.steps;
  EXPECT_EQ(differences(config, config_of(cartpole_cells(whole, "")[1])), std::vector<std::string>{});
  EXPECT_NE(cartpole_cells(whole, "").front().name, cartpole_cells(quick, "").front().name);
}

// n/20 and 1 - n/20 as in bsuite; everything else is as in the figure.
TEST(CartpoleDifficulty, CellsAreTheFigureWithOtherThresholds) {
  const DifficultyGrid grid = difficulty_grid(false, 2);
  EXPECT_EQ(grid.levels, (std::vector{0, 5, 10, 15, 19}));
  const std::vector<Cell> cells = difficulty_cells(grid), plain = cartpole_cells(grid.cartpole, "");
  ASSERT_EQ(cells.size(), 2U * 5U * 2U);
  const Config strict = config_of(cells[2 * 4 + 1]);  // EE-Politex, n = 19, the second seed
  EXPECT_EQ(strict.text("environment.height"), "0.95");
  EXPECT_EQ(strict.text("environment.centre"), "0.05");
  EXPECT_EQ(differences(strict, config_of(plain[1])).size(), 2U);
  EXPECT_EQ(config_of(cells[10]).text("environment.height"), "0.0");  // Politex, n = 0
  EXPECT_EQ(config_of(cells[10]).text("environment.centre"), "1.0");
  EXPECT_EQ(differences(config_of(cells[10]), config_of(plain[2])).size(), 1U);
  std::set<std::string> names;
  for (const Cell& cell : cells) names.insert(cell.name);
  EXPECT_EQ(names.size(), cells.size());
}

TEST(CartpoleDifficulty, SuccessesAreCountedPerDifficultyAndAlgorithm) {
  DifficultyGrid grid = difficulty_grid(true, 4);
  grid.cartpole.steps = 100'000;
  std::vector<CartpoleRun> runs;
  for (std::size_t variant = 0; variant < 2; ++variant)
    for (std::size_t level = 0; level < grid.levels.size(); ++level)
      for (std::size_t i = 0; i < 4; ++i)
        runs.push_back(made_up(variant, 1001 + i, grid.cartpole,
                               [&](double) { return variant == 0 && i < 3 - level ? 640.0 : -0.1; }));
  const FigureReport report = difficulty_report(runs, grid);
  EXPECT_TRUE(report.claims.empty());
  const std::string page = report.results.text();
  EXPECT_NE(page.find("3 of 4 [19%, 99%]"), std::string::npos) << page;  // Clopper and Pearson
  EXPECT_NE(page.find("2 of 4 [7%, 93%]"), std::string::npos);
  EXPECT_NE(page.find("1 of 4 [1%, 81%]"), std::string::npos);
  EXPECT_NE(page.find("0 of 4 [0%, 60%]"), std::string::npos);
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].bytes.substr(0, report.files[0].bytes.find('\n')),
            "variant,difficulty,seed,steps,learned_return_last_tenth");
  EXPECT_NE(report.files[0].bytes.find("\nee_politex,19,1002,100000,"), std::string::npos);
  ASSERT_EQ(report.pictures.size(), 1U);
  EXPECT_EQ(report.pictures[0].plot.series.size(), 4U);
}

TEST(CartpoleDifficulty, IsRefusedWhereThereIsNone) {
  FigureOptions options;
  options.difficulty = true;
  Figure other = cartpole_figure();
  other.difficulties = false;
  EXPECT_THROW(reproduce(other, options), ConfigError);
  options.compare = true;
  EXPECT_THROW(reproduce(cartpole_figure(), options), ConfigError);
}

TEST(CartpoleRun, CurveAndMeansByHand) {
  CartpoleGrid grid = cartpole_grid(false, false);
  grid.steps = 60'000;  // bins of one thousand steps
  CartpoleRun run{.variant = 0, .seed = 1, .episodes = {}, .sample = {}, .summary = {}};
  run.episodes = {{1000, 5.0, Player::policy},    {1000, 7.0, Player::policy},   {1500, 100.0, Player::explorer},
                  {2000, -500.0, Player::both},   {3000, 200.0, Player::policy}, {4000, 50.0, Player::policy},
                  {56'000, 300.0, Player::policy}};
  const auto curve = cartpole_curve(run, grid);
  ASSERT_EQ(curve.size(), 4U);  // the second bin has no episode of the policy alone
  EXPECT_EQ(curve[0].step, 1000);
  EXPECT_EQ(curve[0].reward, 6.0);
  EXPECT_EQ(curve[1].reward, 200.0);
  EXPECT_EQ(run.explorer_return(), 100.0);
  EXPECT_EQ(run.final_return(grid), 300.0);
  EXPECT_EQ(passes_explorer_at(run, grid), 56'000);  // 200 passes it too, but not for good
  EXPECT_THROW(run.final_interval(grid), Error);
}

constexpr int enough_seeds = 10;

TEST(CartpoleClaims, HoldWhenTheStoryIsTrue) {
  const CartpoleGrid grid = cartpole_grid(false, false, enough_seeds);
  for (const Claim& claim : cartpole_claims(swing_up_story(grid), grid))
    EXPECT_EQ(judge(claim).finding, Finding::holds) << claim.name << judge(claim).text();
  const CartpoleGrid few = cartpole_grid(false, false, 3);
  for (const Claim& claim : cartpole_claims(swing_up_story(few), few))
    EXPECT_EQ(judge(claim).finding, Finding::no_power) << claim.name;
}

TEST(CartpoleClaims, SeedsThatDriftAreCountedAndListed) {
  const CartpoleGrid grid = cartpole_grid(false, false, enough_seeds);
  std::vector<CartpoleRun> runs = swing_up_story(grid);
  for (const std::size_t i : {1, 4})
    runs[enough_seeds + i] =
        made_up(1, i, grid, [](double share) { return share > 0.5 && share < 0.6 ? 323.0 : does_not_move(share); });
  runs[2] = made_up(0, 3, grid, [](double share) { return share > 0.2 ? 150.0 : 0.0; });
  const auto claims = cartpole_claims(runs, grid);
  EXPECT_EQ(judge(claims[0]).text(), "not established: undecided: finds nothing; 1 of 2 checks are as claimed");
  EXPECT_EQ(claims[0].checks[0].measured, "8 of 10 seeds [44%, 97%]");
  EXPECT_EQ(judge(claims[1]).text(), "holds");
  EXPECT_EQ(claims[1].checks[1].measured, "9 of 10 seeds [55%, 100%]");
  const auto listed = std::ranges::count_if(
      claims[0].also_measured, [](const Check& check) { return check.measured.ends_with("(not as claimed)"); });
  EXPECT_EQ(listed, 2);
}

TEST(CartpoleClaims, FailWhereTheOppositeIsTrue) {
  const CartpoleGrid grid = cartpole_grid(false, false, enough_seeds);
  std::vector<CartpoleRun> runs;
  for (std::uint64_t seed = 1; seed <= enough_seeds; ++seed) runs.push_back(made_up(0, seed, grid, does_not_move));
  for (std::uint64_t seed = 1; seed <= enough_seeds; ++seed) runs.push_back(made_up(1, seed, grid, rises));
  for (const Claim& claim : cartpole_claims(runs, grid)) {
    EXPECT_EQ(judge(claim).finding, Finding::fails) << claim.name;
    for (const CheckAnswer& answer : answers_of(claim)) EXPECT_EQ(answer.answer, Answer::no) << claim.name;
  }
  // Twitching all the time is not standing still.
  runs = swing_up_story(grid);
  for (std::size_t i = 0; i < enough_seeds; ++i)
    runs[enough_seeds + i] = made_up(1, i + 1, grid, [](double) { return -80.0; });
  EXPECT_EQ(judge(cartpole_claims(runs, grid)[0]).finding, Finding::fails);
}

TEST(CartpoleFigure, WritesTheSameBytesAgain) {
  const fs::path directory = fresh_directory("cartpole_figure");
  for (const bool compare : {false, true}) {
    const CartpoleGrid grid = cartpole_grid(true, compare);
    const auto runs = swing_up_story(grid);
    write_report(cartpole_report(runs, grid), directory, "politex reproduce cartpole --quick");
    std::vector<std::string> first;
    const std::vector<std::string> files{"runs.csv", "curves.csv", "cartpole.svg", "cartpole.png", "report.html"};
    for (const auto& file : files) first.push_back(bytes_of(directory / file));
    write_report(cartpole_report(runs, grid), directory, "politex reproduce cartpole --quick");
    for (std::size_t i = 0; i < files.size(); ++i) {
      EXPECT_GT(first[i].size(), 100U) << files[i];
      EXPECT_EQ(first[i], bytes_of(directory / files[i])) << files[i];
    }
    const std::string& report = first.back();
    EXPECT_EQ(report.find("src="), std::string::npos);
    EXPECT_EQ(report.find("(b) EE-Politex learns") == std::string::npos, compare);
    for (const char* name : {"quick version", "id=\"animation\"", "film-strip", "expected SARSA"})
      EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  fs::remove_all(directory);
}

constexpr std::int64_t tiny_steps = 40'000;
std::vector<Cell> tiny_cells(const FigureOptions& options) {
  CartpoleGrid grid = cartpole_grid(true, false, 1);
  grid.steps = tiny_steps;
  std::vector<Cell> cells = cartpole_cells(grid, options.out);
  for (Cell& cell : cells)
    for (const char* setting : {"network.hidden=16", "learner.batch=8", "schedule.phase_steps=500",
                                "actors.environments=4", "actors.threads=0"})
      cell.overrides.emplace_back(setting);
  return cells;
}

// From a real, tiny run to what the figure reads of it.
TEST(CartpoleFigure, ReadsWhatARunLeaves) {
  const fs::path directory = fresh_directory("cartpole_run");
  CartpoleGrid grid = cartpole_grid(true, false, 1);
  grid.steps = tiny_steps;
  const Figure tiny{.name = "cartpole", .help = "", .cells = tiny_cells, .report = nullptr};
  FigureOptions options;
  options.out = directory;
  options.jobs = 1;
  const std::optional<Finished> finished = run_figure(tiny, options);
  ASSERT_TRUE(finished);
  const std::vector<Cell>& cells = finished->cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CartpoleRun run = read_cartpole_run(directory / "runs" / cells[i].name, i, 1);
    EXPECT_EQ(run.sample.size(), 1000U);
    EXPECT_NEAR(std::abs(run.sample.front().angle), 3.14, 0.1);  // it begins hanging
    EXPECT_EQ(mean(run.learned(0, grid.steps)), summary_number(run.summary, "learned_return.mean"));
    EXPECT_EQ(run.final_return(grid), summary_number(run.summary, "learned_return.last_tenth"));
    if (grid.variants[i].explores) {
      EXPECT_EQ(run.explorer_return(), summary_number(run.summary, "explorer_return.mean"));
    }
  }
  fs::resize_file(directory / "runs" / cells[0].name / "episodes.csv", 60);
  EXPECT_ANY_THROW(read_cartpole_run(directory / "runs" / cells[0].name, 0, 1));
  fs::remove_all(directory);
}

// --compare: one variant explores with the network that an earlier stage trained.
TEST(CartpoleFigure, ALaterStageReadsTheFileOfAnEarlierOne) {
  const fs::path directory = fresh_directory("cartpole_stages");
  const Figure figure{.name = "cartpole",
                      .help = "",
                      .cells =
                          [](const FigureOptions& options) {
                            CartpoleGrid grid = cartpole_grid(true, true, 1);
                            grid.steps = 4000;
                            std::vector<Cell> cells = cartpole_cells(grid, options.out);
                            std::erase_if(cells, [](const Cell& cell) {
                              return cell.stage > 0 && cell.name.find("explorer_trained") == std::string::npos;
                            });
                            for (Cell& cell : cells)
                              for (const char* setting : {"steps=4000", "network.hidden=8", "learner.batch=8",
                                                          "actors.environments=2", "actors.threads=0"})
                                cell.overrides.emplace_back(setting);
                            return cells;
                          },
                      .report = nullptr};
  FigureOptions options;
  options.out = directory;
  options.jobs = 2;
  const std::optional<Finished> finished = run_figure(figure, options);
  ASSERT_TRUE(finished);
  ASSERT_EQ(finished->cells.size(), 2U);
  EXPECT_EQ(finished->cells.back().name, "explorer");
  for (const std::string& summary : finished->summaries) EXPECT_EQ(summary_number(summary, "steps"), 4000.0);
  // Rerun, nothing is repeated: the summaries, which contain the time that a run took, are the same.
  EXPECT_EQ(run_figure(figure, options)->summaries, finished->summaries);
  fs::remove_all(directory);
}

TEST(CartpoleFilm, StripAndDataAreWhatTheFramesSay) {
  const std::vector<CartpoleFrame> frames{{0.0, 3.0, 0, -0.1}, {0.5, 0.0, 2, 0.9}};
  EXPECT_EQ(film_json(frames, "a"),
            "{\"label\":\"a\",\"seconds\":0.01,\"x\":[0.000,0.500],\"angle\":[3.000,0.000],\"paid\":[-0.1,0.8]}");
  const std::string strip = film_strip(frames, 1, 5);
  EXPECT_NE(strip.find("0.01 s"), std::string::npos);
  EXPECT_EQ(strip.find("0.02 s"), std::string::npos);  // the episode is over
  EXPECT_NE(strip.find("#0072B2"), std::string::npos);
}

}  // namespace
}  // namespace politex
