#include "politex/figures/deep_sea/figure.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "figures/deep_sea_synthetic.hpp"
#include "politex/base/error.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/run/config_io.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

Config config_at(DeepSeaCurve curve, int size, const DeepSeaGrid& grid) {
  return config_of(deep_sea_cell(curve, size, 1, grid));
}

std::string setting(const Config& config, std::string_view key) { return config.text(key); }

TEST(DeepSeaGrid, PresetsAreThePublishedOnes) {
  const DeepSeaGrid grid = deep_sea_grid(false);
  EXPECT_EQ(grid.sizes, (std::vector{2, 5, 10, 20, 30, 50}));
  EXPECT_EQ(grid.seeds, 20);
  EXPECT_EQ(deep_sea_grid(false, 3).seeds, 3);
  for (const int size : grid.sizes) {
    const Config figure = config_at(DeepSeaCurve::every_visit, size, grid);
    EXPECT_EQ(figure.steps, 500'000);
    EXPECT_EQ(setting(figure, "environment.size"), std::to_string(size));
    EXPECT_EQ(setting(figure, "schedule.follow"), "N");
    EXPECT_EQ(setting(figure, "schedule.explore"), "N/2");
    EXPECT_EQ(setting(figure, "algorithm.eta"), "0.5");
    const Config tuned = config_at(DeepSeaCurve::tuned, size, grid);
    EXPECT_EQ(tuned.steps, 1'000'000);
    EXPECT_EQ(setting(tuned, "schedule.follow"), "24N");
    EXPECT_EQ(setting(tuned, "schedule.explore"), "49N/50");
    EXPECT_EQ(setting(tuned, "algorithm.horizon"), "4N");
    for (const DeepSeaCurve curve :
         {DeepSeaCurve::politex_lsmc, DeepSeaCurve::politex_lspe, DeepSeaCurve::rlsvi, DeepSeaCurve::lspi})
      EXPECT_EQ(setting(config_at(curve, size, grid), "schedule.follow"), std::to_string(size + size / 2 + 1));
    EXPECT_EQ(setting(config_at(DeepSeaCurve::one_visit_own_mean_coprime, size, grid), "algorithm.average"), "rollout");
    EXPECT_EQ(setting(config_at(DeepSeaCurve::one_visit_coprime, size, grid), "schedule.coprime"), "true");
    EXPECT_EQ(setting(config_at(DeepSeaCurve::one_visit_coprime, size, grid), "algorithm.visits"), "one");
  }
}

TEST(DeepSeaGrid, EveryConfigurationIsAccepted) {
  for (const bool quick : {false, true}) {
    const DeepSeaGrid grid = deep_sea_grid(quick);
    const std::vector<Cell> cells = deep_sea_cells(grid);
    EXPECT_EQ(cells.size(), deep_sea_curves().size() * grid.sizes.size() * static_cast<std::size_t>(grid.seeds));
    for (const Cell& cell : cells) EXPECT_NO_THROW(check(config_of(cell))) << cell.name;
  }
}

// At its own size a file is the run of the figure, and no file has a key without effect.
TEST(DeepSeaGrid, ShippedExperimentsAreTheCurvesAtSizeTwenty) {
  for (const DeepSeaCurveName& curve : deep_sea_curves()) {
    const auto read =
        read_config(fs::path(POLITEX_SOURCE_DIR) / "experiments/deep_sea" / fmt::format("{}.toml", curve.name));
    EXPECT_EQ(differences(read.config, config_at(curve.curve, 20, deep_sea_grid(false))), std::vector<std::string>{})
        << curve.name;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << curve.name;
  }
}

TEST(DeepSeaGrid, ReferencesInClosedForm) {
  EXPECT_EQ(deep_sea_optimum(20), -1.5);
  EXPECT_DOUBLE_EQ(deep_sea_optimum(5), -1.6);
  EXPECT_DOUBLE_EQ(deep_sea_always_one(50), -1.02);
}

TEST(DeepSeaGrid, RowsAreInTheOrderOfTheCells) {
  const DeepSeaGrid grid = deep_sea_grid(true, 3);
  const std::string rows = deep_sea_csv(grid, story_summaries(grid));
  EXPECT_EQ(std::ranges::count(rows, '\n'), 1 + 11 * 4 * 3);
  EXPECT_EQ(rows.substr(rows.find('\n') + 1, 10), "figure,2,1");
  std::istringstream lines(rows);
  std::string line;
  std::getline(lines, line);
  for (const Cell& cell : deep_sea_cells(grid)) {
    ASSERT_TRUE(std::getline(lines, line));
    const std::string curve = line.substr(0, line.find(','));
    EXPECT_EQ(cell.experiment, fmt::format("deep_sea/{}.toml", curve));
    EXPECT_TRUE(cell.name.starts_with(fmt::format("curve={},size=", curve))) << cell.name;
  }
}

TEST(DeepSeaGrid, ARunWithoutItsExactCostIsRefused) {
  const DeepSeaGrid grid = deep_sea_grid(true, 2);
  std::vector<std::string> summaries = story_summaries(grid);
  EXPECT_NO_THROW(collect(grid, summaries));
  summaries[7] = "{\"average_cost\": 1.0}";
  EXPECT_THROW(collect(grid, summaries), Error);
}

TEST(DeepSeaFigure, WritesTheSameBytesAgain) {
  const fs::path directory = fs::path(testing::TempDir()) / ("politex_figure_" + std::to_string(getpid()));
  fs::create_directories(directory);
  const DeepSeaGrid grid = deep_sea_grid(false);
  const std::vector<std::string> summaries = story_summaries(grid);
  const auto write = [&] { write_report(deep_sea_report(grid, summaries), directory, "politex reproduce deep_sea"); };
  const std::vector<std::string> files{"runs.csv",      "deep_sea.svg",  "deep_sea.png",
                                       "one_visit.svg", "one_visit.png", "report.html"};
  std::vector<std::string> first;
  write();
  for (const auto& file : files) first.push_back(bytes_of(directory / file));
  write();
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_GT(first[i].size(), 1000U) << files[i];
    EXPECT_EQ(first[i], bytes_of(directory / files[i])) << files[i];
  }
  const std::string& report = first.back();
  EXPECT_EQ(report.find("src="), std::string::npos);
  EXPECT_NE(report.find("</svg>"), std::string::npos);
  for (const char* name : {"(a)", "(b)", "(c)", "(d)", "row trap", "politex reproduce deep_sea"}) {
    EXPECT_NE(report.find(name), std::string::npos) << name;
  }
  if (std::getenv("POLITEX_KEEP") == nullptr) fs::remove_all(directory);
}

TEST(DeepSeaFigure, ADirectoryThatCannotBeMadeIsRefusedBeforeAnythingRuns) {
  FigureOptions options;
  options.quick = true;
  options.out = "/dev/null/figure";
  EXPECT_THROW(reproduce(deep_sea_figure(), options), ConfigError);
  options.jobs = -2;
  EXPECT_THROW(reproduce(deep_sea_figure(), options), ConfigError);
}

}  // namespace
}  // namespace politex
