#include "politex/bench/bench_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/small_effort.hpp"
#include "politex/bench/bench.hpp"

namespace politex {
namespace {

TEST(EngineBench, TheIntervalOfAMedianIsTheOneOfTheSignTest) {
  std::vector<double> pairs(41);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[(i * 7) % pairs.size()] = static_cast<double>(i + 1);
  const Overhead many = overhead_of_pairs(pairs, 2.0, 3.0);
  EXPECT_EQ(many.median, 21.0);
  // Tables of the sign test: with 41 pairs the 14th smallest and largest, with 6 the smallest and largest.
  EXPECT_EQ(many.low, 14.0);
  EXPECT_EQ(many.high, 28.0);
  EXPECT_EQ(many.least, 0.5);
  const Overhead few = overhead_of_pairs({3.0, 1.0, 2.0, 5.0, 4.0, 6.0}, 1.0, 1.0);
  EXPECT_EQ(few.low, 1.0);
  EXPECT_EQ(few.high, 6.0);
}

void expect_ordered(const Overhead& value) {
  EXPECT_LE(value.low, value.median);
  EXPECT_LE(value.median, value.high);
  EXPECT_GT(value.low, -1.0);  // a time is positive
}

TEST(EngineBench, MeasuresRunsWithAndWithoutTheEngine) {
  const EngineBench engine = bench_engine(small_effort());
  for (const EngineBench::Clocks* run : {&engine.short_run, &engine.long_run})
    for (const Overhead* value : {&run->learner, &run->all, &run->wall}) expect_ordered(*value);
  expect_ordered(engine.whole_figure);
  EXPECT_GT(engine.bare_ms, 0.0);
  EXPECT_GT(engine.figure_seconds, 0.0);
  EXPECT_GT(engine.checkpoint_ms, 0.0);
  EXPECT_GT(engine.checkpoint_cpu_ms, 0.0);
}

TEST(EngineBench, JsonHasTheMeasuredNumbers) {
  EngineBench engine;
  engine.bare_ms = 1.5;
  engine.short_run.learner = {.median = 0.01, .low = 0.005, .high = 0.02, .least = 0.015};
  engine.long_run.wall.median = 0.25;
  engine.whole_figure.high = 0.125;
  engine.checkpoint_ms = 0.5;
  engine.checkpoint_cpu_ms = 0.375;
  BenchResult result;
  result.engine = engine;
  const auto root = nlohmann::json::parse(bench_json(result))["engine"];
  EXPECT_EQ(root["bare_ms"], 1.5);
  EXPECT_EQ(root["overhead"]["learner_cpu"],
            nlohmann::json::parse(R"({"median": 0.01, "low": 0.005, "high": 0.02, "least": 0.015})"));
  EXPECT_EQ(root["overhead_long"]["wall"]["median"], 0.25);
  EXPECT_EQ(root["overhead_figure"]["high"], 0.125);
  EXPECT_EQ(root["overhead_aim"], 0.02);
  EXPECT_EQ(root["checkpoint_ms"], 0.5);
  EXPECT_EQ(root["checkpoint_cpu_ms"], 0.375);
  EXPECT_EQ(root["checkpoint_aim_ms"], 5.0);
  const std::string text = engine_bench_text(engine);
  EXPECT_THAT(text, testing::HasSubstr("1.00 %  [0.50, 2.00]      1.50 %"));
  EXPECT_THAT(text, testing::HasSubstr("0.50 ms, of which 0.38 ms CPU time"));
}

}  // namespace
}  // namespace politex
