#include "politex/lab/deep_sea_figure.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lab/deep_sea_synthetic.hpp"
#include "lab/test_files.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/deep_sea_claims.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

/// The curve that a configuration belongs to, found by making them all.
Curve curve_of(const Config& config, const DeepSeaGrid& grid) {
  for (const CurveName& curve : curves()) {
    const Config other = deep_sea_config(curve.curve, static_cast<int>(config.environment.size), config.seed, grid);
    if (other.steps == config.steps && other.algorithm.name == config.algorithm.name &&
        other.algorithm.estimator == config.algorithm.estimator && other.algorithm.visits == config.algorithm.visits &&
        other.algorithm.average == config.algorithm.average && other.schedule.coprime == config.schedule.coprime) {
      return curve.curve;
    }
  }
  throw Error("a configuration of no curve");
}

TEST(DeepSeaGrid, PresetsAreThePublishedOnes) {
  const DeepSeaGrid grid = deep_sea_grid(false);
  EXPECT_EQ(grid.sizes, (std::vector{2, 5, 10, 20, 30, 50}));
  EXPECT_EQ(grid.seeds, 20);
  for (const int size : grid.sizes) {
    const Config figure = deep_sea_config(Curve::every_visit, size, 1, grid);
    EXPECT_EQ(figure.steps, 500'000);
    EXPECT_EQ(figure.schedule.follow.resolve(size), size);
    EXPECT_EQ(figure.schedule.explore.resolve(size), size / 2);
    EXPECT_EQ(figure.algorithm.eta, "0.5");
    const Config tuned = deep_sea_config(Curve::tuned, size, 1, grid);
    EXPECT_EQ(tuned.steps, 1'000'000);
    EXPECT_EQ(tuned.schedule.follow.resolve(size), 8 * size);
    EXPECT_EQ(tuned.schedule.explore.resolve(size), 3 * size / 4);
    EXPECT_EQ(tuned.algorithm.horizon.resolve(size), 4 * size);
    for (const Curve curve : {Curve::politex_lsmc, Curve::politex_lspe, Curve::rlsvi, Curve::lspi}) {
      const Config plain = deep_sea_config(curve, size, 1, grid);
      EXPECT_EQ(plain.schedule.follow.resolve(size), size + size / 2 + 1);
      EXPECT_EQ(plain.schedule.explore.resolve(size), 0);
      EXPECT_EQ(plain.explorer.name, "none");
    }
    EXPECT_EQ(deep_sea_config(Curve::one_visit_own_mean_coprime, size, 1, grid).algorithm.average, "rollout");
    EXPECT_TRUE(deep_sea_config(Curve::one_visit_coprime, size, 1, grid).schedule.coprime);
    EXPECT_EQ(deep_sea_config(Curve::one_visit_coprime, size, 1, grid).algorithm.visits, "one");
  }
}

TEST(DeepSeaGrid, EveryConfigurationIsAccepted) {
  for (const bool quick : {false, true}) {
    const DeepSeaGrid grid = deep_sea_grid(quick);
    for (const CurveName& curve : curves()) {
      for (const int size : grid.sizes) {
        EXPECT_NO_THROW(check(deep_sea_config(curve.curve, size, 1, grid))) << curve.name << ' ' << size;
      }
    }
  }
}

// The shipped files and the grid describe the same runs, and no file holds a key that has no effect.
TEST(DeepSeaGrid, ShippedExperimentsAreTheCurvesAtSizeTwenty) {
  for (const CurveName& curve : curves()) {
    const auto read =
        read_config(fs::path(POLITEX_SOURCE_DIR) / "experiments/deep_sea" / fmt::format("{}.toml", curve.name));
    EXPECT_EQ(differences(read.config, deep_sea_config(curve.curve, 20, 1, deep_sea_grid(false))),
              std::vector<std::string>{})
        << curve.name;
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << curve.name;
  }
}

TEST(DeepSeaGrid, ReferencesInClosedForm) {
  EXPECT_EQ(deep_sea_optimum(20), -1.5);
  EXPECT_DOUBLE_EQ(deep_sea_optimum(5), -1.6);
  EXPECT_DOUBLE_EQ(deep_sea_always_one(50), -1.02);
}

TEST(DeepSeaGrid, RunsStandInTheOrderOfTheGridWhateverTheThreads) {
  DeepSeaGrid grid = deep_sea_grid(true);
  grid.seeds = 3;
  const auto runner = [&](const Config& config) { return story_summary(config, curve_of(config, grid)); };
  const std::string one = deep_sea_csv(run_deep_sea(grid, 1, runner));
  EXPECT_EQ(one, deep_sea_csv(run_deep_sea(grid, 8, runner)));
  EXPECT_EQ(std::ranges::count(one, '\n'), 1 + 11 * 4 * 3);
  EXPECT_EQ(one.substr(one.find('\n') + 1, 14), "figure,2,1,100");
}

TEST(DeepSeaFigure, WritesTheSameBytesAgain) {
  const fs::path directory = fs::path(testing::TempDir()) / ("politex_figure_" + std::to_string(getpid()));
  fs::create_directories(directory);
  const DeepSeaGrid grid = deep_sea_grid(false);
  const auto runner = [&](const Config& config) { return story_summary(config, curve_of(config, grid)); };
  const auto runs = run_deep_sea(grid, 2, runner);
  const std::vector<std::string> files{"runs.csv",      "deep_sea.svg",  "deep_sea.png",
                                       "one_visit.svg", "one_visit.png", "report.html"};
  std::vector<std::string> first;
  write_deep_sea(runs, grid, directory, "politex reproduce deep_sea");
  for (const auto& file : files) first.push_back(bytes_of(directory / file));
  write_deep_sea(runs, grid, directory, "politex reproduce deep_sea");
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
  ReproduceOptions options;
  options.quick = true;
  options.out = "/dev/null/figure";
  EXPECT_THROW(reproduce_deep_sea(options), ConfigError);
  options.jobs = -2;
  EXPECT_THROW(reproduce_deep_sea(options), ConfigError);
}

TEST(Reproduce, UnknownFiguresAreNamedWithTheKnownOnes) {
  EXPECT_EQ(find_figure("deep_sea").name, "deep_sea");
  try {
    find_figure("deap_sea");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("accepted: deep_sea"), std::string::npos);
  }
}

}  // namespace
}  // namespace politex::lab
