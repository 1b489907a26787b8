#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "figures/theory_synthetic.hpp"
#include "politex/base/error.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/figures/theory/figure.hpp"
#include "politex/run/config_io.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

std::map<std::string, Finding> theory_outcomes(const TheoryStory& story) {
  std::map<std::string, Finding> all;
  for (const Claim& claim : theory_claims(story_table(story))) all[claim.name] = judge(claim).finding;
  return all;
}

TEST(TheoryClaims, AllHoldWhereEverythingIsAsClaimed) {
  const auto all = theory_outcomes({});
  EXPECT_EQ(all.size(), 14U);
  for (const auto& [name, outcome] : all) EXPECT_EQ(outcome, Finding::holds) << name;
}

// Each number of the story decides its own claims and no others.
TEST(TheoryClaims, EveryVerdictCanComeOutOtherwise) {
  const struct {
    double TheoryStory::*part;
    double value;
    std::vector<std::string> claims;
  } turns[] = {{&TheoryStory::rollouts, -0.2, {"(a)"}},    {&TheoryStory::rate, 0.3, {"(b)"}},
               {&TheoryStory::own_mean, 1.0, {"(b′)"}},    {&TheoryStory::phase, -0.3, {"(b″)"}},
               {&TheoryStory::phase_rate, 0.2, {"(b″)"}},  {&TheoryStory::regret, 1.3, {"(c)"}},
               {&TheoryStory::noise, 1.5, {"(c′)"}},       {&TheoryStory::pseudo, 1.5, {"(c″)"}},
               {&TheoryStory::corrected, 1.5, {"(c‴)"}},   {&TheoryStory::eta_excess, 1.4, {"(d)"}},
               {&TheoryStory::mixing, 0.3, {"(e)"}},       {&TheoryStory::excitation, -0.03, {"(e″)"}},
               {&TheoryStory::excitation, -0.9, {"(e′)"}}, {&TheoryStory::length, 1.0, {"(f)", "(f′)"}}};
  std::vector<std::string> turned;
  for (const auto& turn : turns) {
    TheoryStory story;
    story.*turn.part = turn.value;
    for (const auto& [name, outcome] : theory_outcomes(story)) {
      const bool expected = std::ranges::find(turn.claims, name) != turn.claims.end();
      EXPECT_EQ(outcome != Finding::holds, expected) << name << ", " << turn.claims.front();
    }
    turned.insert(turned.end(), turn.claims.begin(), turn.claims.end());
  }
  for (const auto& [name, outcome] : theory_outcomes({}))
    EXPECT_NE(std::ranges::find(turned, name), turned.end()) << name << " was never turned";
}

// Finite T cannot contradict an asymptotic rate, and a steeper decay than a bound's is no contradiction.
TEST(TheoryClaims, BoundsAreOneSided) {
  EXPECT_EQ(theory_outcomes({.regret = 1.3}).at("(c)"), Finding::not_established);
  EXPECT_EQ(theory_outcomes({.regret = 0.3}).at("(c)"), Finding::holds);
  EXPECT_EQ(theory_outcomes({.rollouts = -0.9}).at("(a)"), Finding::holds);
  EXPECT_EQ(theory_outcomes({.rollouts = -0.2}).at("(a)"), Finding::fails);
}

// The eta of (d) is chosen on other seeds: luck on the judged ones changes nothing.
TEST(TheoryClaims, EtaIsChosenOnOtherSeeds) {
  TheoryTable table = story_table({});
  for (TheoryPoint& point : table.points)
    if (point.figure == "d" && point.curve == "grid" && point.x == 1.0) point.value *= 0.1;
  for (const Claim& claim : theory_claims(table))
    if (claim.name == "(d)") {
      EXPECT_EQ(judge(claim).finding, Finding::holds);
    }
}

// What docs/internals/notes-on-the-paper.md says of T = 1e6..1e8.
TEST(TheoryClaims, SlopesOfTheBoundsOwnExpression) {
  const std::vector<double> steps = {1e6, 1e7, 1e8};
  EXPECT_NEAR(expression_slope("E", "theory", steps), 0.86, 0.02);
  EXPECT_NEAR(expression_slope("PR", "theory", steps), 1.09, 0.03);
  EXPECT_NEAR(expression_slope("V", "theory", steps), 0.80, 0.01);
  EXPECT_NEAR(expression_slope("PR", "theory_text", steps), 0.80, 0.01);
}

TEST(TheoryGrid, ShippedExperimentsAreRunsOfPartC) {
  const std::map<std::string, std::string> files = {
      {"DeepSea", "deep_sea"}, {"RiverSwim", "river_swim"}, {"Garnet", "garnet"}};
  for (const auto& [environment, file] : files) {
    const auto read = read_config(fs::path(POLITEX_SOURCE_DIR) / "experiments/theory" / (file + ".toml"));
    EXPECT_EQ(differences(read.config, config_of(theory_cell(environment, 1, "theory", 1'000'000))),
              std::vector<std::string>{})
        << environment;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << environment;
  }
}

TheoryGrid small_grid() {
  TheoryGrid grid = theory_grid(true, 2);
  grid.rollouts = {20, 40};
  grid.lengths = {5, 30};
  grid.steps = {};
  grid.etas = {0.1};
  grid.teleports = {0.3};
  grid.mixtures = {0.5};
  grid.short_steps = 4000;
  return grid;
}

TEST(TheoryGrid, TheSameTableOnAnyNumberOfThreads) {
  const TheoryGrid grid = small_grid();
  const Figure small{.name = "theory",
                     .help = "",
                     .cells =
                         [](const FigureOptions& options) {
                           std::vector<Cell> cells;
                           for (const TheoryRun& run : theory_runs(small_grid(), options.out))
                             cells.push_back(run.cell);
                           return cells;
                         },
                     .report = nullptr};
  const std::atomic<int> stop = 2;
  std::vector<std::string> tables;
  for (const int jobs : {1, 4}) {
    FigureOptions options;
    options.jobs = jobs;
    options.out = fs::path(testing::TempDir()) / fmt::format("politex_theory_{}_{}", getpid(), jobs);
    fs::create_directories(options.out);
    write_explorers(grid, options.out);
    const std::optional<Finished> finished = run_figure(small, options);
    ASSERT_TRUE(finished);
    const std::vector<TheoryRun> runs = theory_runs(grid, options.out);
    tables.push_back(theory_csv(measure_theory(grid, runs, finished->summaries, jobs, nullptr)));
    EXPECT_THROW(measure_theory(grid, runs, finished->summaries, jobs, &stop), Error);
    fs::remove_all(options.out);
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_NE(tables[0].find("\ne,Garnet,\"sigma\",sigma,0.5,1002,"), std::string::npos);
}

TEST(TheoryReport, ShowsEveryClaimAndHasNoEmptyPicture) {
  FigureReport report = theory_report(story_table({.regret = 0.95}), theory_grid(true));
  EXPECT_EQ(report.claims.size(), 14U);
  EXPECT_EQ(report.pictures.size(), 15U);
  for (const FigurePicture& picture : report.pictures) {
    EXPECT_FALSE(picture.plot.series.empty()) << picture.name;
    for (const Series& series : picture.plot.series) EXPECT_FALSE(series.x.empty()) << picture.name << series.label;
    EXPECT_NO_THROW(gnuplot_script(picture.plot, picture.name)) << picture.name;
  }
  report.pictures.resize(1);  // drawing takes time
  const fs::path directory = fs::path(testing::TempDir()) / fmt::format("politex_theory_page_{}", getpid());
  fs::create_directories(directory);
  write_report(report, directory, "politex reproduce theory --quick");
  const std::string page = bytes_of(directory / "report.html");
  for (const Claim& claim : report.claims) EXPECT_NE(page.find(claim.name), std::string::npos) << claim.name;
  EXPECT_NE(page.find("A quick version"), std::string::npos);
  EXPECT_NE(page.find("politex reproduce theory --quick"), std::string::npos);
  EXPECT_EQ(page.substr(0, page.find("<svg")).find("nan"), std::string::npos);
  fs::remove_all(directory);
}

}  // namespace
}  // namespace politex
