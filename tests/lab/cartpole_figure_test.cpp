#include "politex/lab/cartpole_figure.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/lab/cartpole_claims.hpp"
#include "politex/lab/cartpole_film.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/reproduce.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;
using By = neural::Episode::By;

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
                            explores ? By::explorer : By::policy});
  }
  for (int t = 0; t < 1000; ++t)
    run.sample.push_back(
        {.position = 0.001 * t, .angle = 3.0 - 0.003 * t, .action = t % 3, .reward = t > 900 ? 1.0 : 0.0});
  return run;
}

double stands(double share) { return share < 0.03 ? -66.0 : 0.0; }
double rises(double share) { return share < 0.2 ? 0.0 : 700.0 * share; }

/// What the paper tells, when all of it is true.
std::vector<CartpoleRun> swing_up_story(const CartpoleGrid& grid) {
  std::vector<CartpoleRun> runs;
  for (std::size_t variant = 0; variant < grid.variants.size(); ++variant)
    for (int seed = 1; seed <= grid.seeds; ++seed)
      runs.push_back(
          made_up(variant, static_cast<std::uint64_t>(seed), grid, grid.variants[variant].explores ? rises : stands));
  return runs;
}

fs::path fresh_directory(const char* name) {
  fs::path path = fs::path(testing::TempDir()) / fmt::format("politex_{}_{}", name, getpid());
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The shipped files and the grid describe the same runs, and no file holds a key that has no effect.
TEST(CartpoleGrid, ShippedExperimentsAreTheCurvesOfTheFigure) {
  const fs::path experiments = fs::path(POLITEX_SOURCE_DIR) / "experiments/cartpole";
  const CartpoleGrid grid = cartpole_grid(false, false);
  ASSERT_EQ(grid.variants.size(), 2U);
  for (const CartpoleVariant& variant : grid.variants) {
    const auto read = read_config(experiments / fmt::format("{}.toml", variant.name));
    EXPECT_EQ(differences(read.config, cartpole_config(variant, 1, grid)), std::vector<std::string>{}) << variant.name;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << variant.name;
  }
  EXPECT_EQ(differences(read_config(experiments / "explorer.toml").config, cartpole_explorer_config()),
            std::vector<std::string>{});
}

// What the report tells a reader to type is what the grid runs.
TEST(CartpoleGrid, SettingsOfTheVariantsAreWhatTheyChange) {
  const CartpoleGrid grid = cartpole_grid(false, true);
  const fs::path experiments = fs::path(POLITEX_SOURCE_DIR) / "experiments/cartpole";
  for (const CartpoleVariant& variant : grid.variants) {
    std::vector<std::string> overrides{fmt::format("steps={}", grid.steps)};
    for (std::size_t at = 0; at < variant.settings.size();) {
      const std::size_t end = std::min(variant.settings.find(' ', at), variant.settings.size());
      overrides.emplace_back(variant.settings.substr(at, end - at));
      at = end + 1;
    }
    Config config = cartpole_config(variant, 1, grid);
    if (config.explorer.name == "file") config.explorer.file = fs::absolute("explorer.policy").string();
    const auto read = read_config(experiments / (variant.explores ? "ee_politex.toml" : "politex.toml"), overrides);
    EXPECT_EQ(differences(read.config, config), std::vector<std::string>{}) << variant.name;
  }
}

TEST(CartpoleGrid, AQuickLookIsTheBeginningOfTheFigure) {
  const CartpoleGrid whole = cartpole_grid(false, false), quick = cartpole_grid(true, false);
  EXPECT_LT(quick.steps, whole.steps);
  Config config = cartpole_config(quick.variants[0], 2, quick);
  config.steps = whole.steps;
  EXPECT_EQ(differences(config, cartpole_config(whole.variants[0], 2, whole)), std::vector<std::string>{});
  EXPECT_NE(cartpole_cells(whole, "").front().name, cartpole_cells(quick, "").front().name);
}

TEST(CartpoleRun, CurveAndMeansByHand) {
  CartpoleGrid grid = cartpole_grid(false, false);
  grid.steps = 60'000;  // bins of one thousand steps
  CartpoleRun run{.variant = 0, .seed = 1, .episodes = {}, .sample = {}, .summary = {}};
  run.episodes = {{1000, 5.0, By::policy},    {1000, 7.0, By::policy},   {1500, 100.0, By::explorer},
                  {2000, -500.0, By::both},   {3000, 200.0, By::policy}, {4000, 50.0, By::policy},
                  {56'000, 300.0, By::policy}};
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

TEST(CartpoleClaims, HoldWhenTheStoryIsTrue) {
  const CartpoleGrid grid = cartpole_grid(false, false);
  for (const Claim& claim : cartpole_claims(swing_up_story(grid), grid))
    EXPECT_EQ(judge(claim).outcome, Outcome::holds) << claim.name << judge(claim).text();
}

TEST(CartpoleClaims, OneSeedThatDriftsIsNamed) {
  const CartpoleGrid grid = cartpole_grid(false, false);
  std::vector<CartpoleRun> runs = swing_up_story(grid);
  runs[3 + 1] = made_up(1, 2, grid, [](double share) { return share > 0.5 && share < 0.6 ? 323.0 : stands(share); });
  runs[2] = made_up(0, 3, grid, [](double share) { return share > 0.2 ? 150.0 : 0.0; });
  const auto claims = cartpole_claims(runs, grid);
  EXPECT_EQ(judge(claims[0]).text(), "holds except finds nothing at seed 2");
  EXPECT_EQ(judge(claims[1]).text(), "holds except passes its explorer at seed 3");
}

TEST(CartpoleClaims, FailWhereTheOppositeIsTrue) {
  const CartpoleGrid grid = cartpole_grid(false, false);
  std::vector<CartpoleRun> runs;
  for (const int seed : {1, 2, 3}) runs.push_back(made_up(0, static_cast<std::uint64_t>(seed), grid, stands));
  for (const int seed : {1, 2, 3}) runs.push_back(made_up(1, static_cast<std::uint64_t>(seed), grid, rises));
  for (const Claim& claim : cartpole_claims(runs, grid)) {
    EXPECT_EQ(judge(claim).outcome, Outcome::fails) << claim.name;
    for (const Check& check : claim.checks) EXPECT_EQ(check.answer, Answer::no) << check.subject;
  }
  // Twitching all the time is not standing still.
  runs = swing_up_story(grid);
  for (std::size_t i = 3; i < 6; ++i) runs[i] = made_up(1, i - 2, grid, [](double) { return -80.0; });
  EXPECT_EQ(judge(cartpole_claims(runs, grid)[0]).outcome, Outcome::fails);
}

TEST(CartpoleFigure, WritesTheSameBytesAgain) {
  const fs::path directory = fresh_directory("cartpole_figure");
  for (const bool compare : {false, true}) {
    const CartpoleGrid grid = cartpole_grid(true, compare);
    const auto runs = swing_up_story(grid);
    write_cartpole(runs, grid, directory, "politex reproduce cartpole --quick");
    std::vector<std::string> first;
    const std::vector<std::string> files{"runs.csv", "curves.csv", "cartpole.svg", "cartpole.png", "report.html"};
    for (const auto& file : files) first.push_back(bytes_of(directory / file));
    write_cartpole(runs, grid, directory, "politex reproduce cartpole --quick");
    for (std::size_t i = 0; i < files.size(); ++i) {
      EXPECT_GT(first[i].size(), 100U) << files[i];
      EXPECT_EQ(first[i], bytes_of(directory / files[i])) << files[i];
    }
    const std::string& report = first.back();
    EXPECT_EQ(report.find("src="), std::string::npos);
    EXPECT_EQ(report.find("(b) EE-Politex learns") == std::string::npos, compare);
    for (const char* name : {"quick look", "id=\"animation\"", "film-strip", "expected SARSA"})
      EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  fs::remove_all(directory);
}

// From a real, tiny run to what the figure reads of it.
TEST(CartpoleFigure, ReadsWhatARunLeaves) {
  const fs::path directory = fresh_directory("cartpole_run");
  CartpoleGrid grid = cartpole_grid(true, false);
  grid.seeds = 1;
  grid.steps = 40'000;
  std::vector<SweepCell> cells = cartpole_cells(grid, "");
  for (SweepCell& cell : cells) {
    cell.config.network.hidden = 16;
    cell.config.learner.batch = 8;
    cell.config.schedule.phase_steps = 500;
    cell.config.actors.environments = 4;
    cell.config.actors.threads = 0;
  }
  SweepOptions options;
  options.directory = directory;
  options.jobs = 1;
  for (const CellResult& result : run_cells(cells, options)) ASSERT_EQ(result.state, CellResult::State::done);
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
}  // namespace politex::lab
