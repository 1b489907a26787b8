#include "politex/record/curve_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "politex/base/error.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/config_io.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

TEST(CurvePoints, KeepsAboutEightPerFactorOfTenAndTheEnd) {
  CurvePoints curve;
  for (std::int64_t steps = 1; steps <= 100'000; ++steps)
    if (curve.due(steps)) curve.add({steps, 0.5});
  curve.end({100'000, 0.5});
  // From 10 on every one of the eight places per factor of ten has its own whole number.
  EXPECT_EQ(curve.points().front().steps, 1);
  int between = 0;
  for (const CurvePoint& point : curve.points()) between += point.steps > 100 && point.steps <= 10'000 ? 1 : 0;
  EXPECT_EQ(between, 16);
  EXPECT_EQ(curve.points().back().steps, 100'000);
  const std::size_t before = curve.points().size();
  curve.end({100'000, 0.5});
  EXPECT_EQ(curve.points().size(), before);
  for (std::size_t i = 1; i < before; ++i) EXPECT_GT(curve.points()[i].steps, curve.points()[i - 1].steps);
}

TEST(CurvePoints, ASteepGrowthOfPhasesKeepsEveryOne) {
  CurvePoints curve;
  for (const std::int64_t steps : {7, 70, 7000}) {
    ASSERT_TRUE(curve.due(steps));
    curve.add({steps, -1.0});
  }
  EXPECT_FALSE(curve.due(7001));
  EXPECT_EQ(curve.points().size(), 3U);
}

class CurveFileTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  fs::path directory_ = fs::path(testing::TempDir()) / ("politex_curve_" + std::to_string(getpid()));
};

TEST_F(CurveFileTest, IsReadBackToTheBit) {
  const std::vector<CurvePoint> points = {{1, 0.1}, {40, -1.0 / 3.0}, {1'000'000'000'000, 1e-300}};
  write_text(directory_ / "curve.csv", curve_text(points));
  EXPECT_EQ(read_curve(directory_ / "curve.csv"), points);
}

TEST_F(CurveFileTest, WhatIsNotACurveIsRefused) {
  const fs::path file = directory_ / "curve.csv";
  EXPECT_THROW(read_curve(file), ConfigError);
  for (const char* text : {"", "steps,average_cost\n", "steps,average_cost\n5,\n", "steps,average_cost\n5,1",
                           "steps,average_cost\n5,1\n5,1\n", "steps,cost\n5,1\n", "steps,average_cost\n5.5,1\n",
                           "steps,average_cost\n5,1 \n"}) {
    write_text(file, text);
    EXPECT_THROW(read_curve(file), Error) << text;
  }
}

// Its last point is the summary's average cost, and the file does not change when the run is repeated.
TEST_F(CurveFileTest, ARunWritesItBeforeItsSummary) {
  const Config config = build_config(parse_toml("steps = 5000\n[environment]\nname = \"deep_sea\"\nsize = 5\n"
                                                "[algorithm]\nname = \"auto\"\n",
                                                "test"))
                            .config;
  std::vector<std::string> texts;
  for (const char* name : {"a", "b"}) {
    const RunDirectory directory = RunDirectory::create(directory_ / name);
    const auto run = make_run(config, {.exact = false});
    const auto summary = drive(*run, config, {.directory = &directory, .summary_only = true, .curve = true});
    ASSERT_TRUE(summary);
    const std::vector<CurvePoint> points = read_curve(directory_ / name / curve_file);
    EXPECT_EQ(points.back().steps, 5000);
    EXPECT_EQ(points.back().average_cost, summary->average_cost);
    EXPECT_GT(points.size(), 8U);
    EXPECT_FALSE(fs::exists(directory_ / name / "progress.csv"));
    texts.push_back(bytes_of(directory_ / name / curve_file));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

}  // namespace
}  // namespace politex
