#include "politex/bench/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/small_effort.hpp"
#include "politex/base/error.hpp"

namespace politex {
namespace {

using nlohmann::json;

TEST(Bench, KnowsItsParts) {
  EXPECT_EQ(bench_part(""), BenchPart::all);
  EXPECT_EQ(bench_part("steps"), BenchPart::steps);
  EXPECT_EQ(bench_part("engine"), BenchPart::engine);
  EXPECT_EQ(bench_part("neural"), BenchPart::neural);
  EXPECT_EQ(bench_part("cores"), BenchPart::cores);
  EXPECT_EQ(bench_part("games"), BenchPart::games);
}

TEST(Bench, AnUnknownPartIsRefusedWithTheKnownOnes) {
  for (const char* const name : {"step", "all", "Steps", " "}) {
    try {
      bench_part(name);
      FAIL() << name;
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::string(error.what()),
                "--only: unknown part \"" + std::string(name) + "\"; accepted: steps, engine, neural, cores, games");
    }
  }
}

/// One small measurement for all tests of its rows.
const BenchResult& measured_steps() {
  static const BenchResult result = run_bench(BenchPart::steps, small_effort());
  return result;
}

TEST(Bench, RatiosOfStepsAreThoseOfTheMeasuredTimes) {
  const BenchResult& result = measured_steps();
  ASSERT_GT(result.bare_ns, 0.0);
  ASSERT_EQ(result.presets.size(), 9U);
  ASSERT_EQ(result.flat_in_steps.size(), 3U);
  ASSERT_EQ(result.default_learner.size(), 2U);
  ASSERT_EQ(result.evaluation.size(), 3U);
  std::set<std::string> names;
  for (const auto* rows :
       {&result.presets, &result.general, &result.flat_in_steps, &result.default_learner, &result.evaluation})
    for (const BenchRow& row : *rows) {
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_GT(row.ns_per_step, 0.0) << row.name;
      EXPECT_EQ(row.ratio, row.ns_per_step / result.bare_ns) << row.name;
    }
  EXPECT_FALSE(result.engine);
  EXPECT_TRUE(result.neural.empty());
}

TEST(Bench, TheGeneralPathIsComparedWithTheCompiledOne) {
  const BenchResult& result = measured_steps();
  ASSERT_EQ(result.general.size(), 2U);
  for (const BenchRow& row : result.general) {
    const auto compiled = std::ranges::find_if(
        result.presets, [&](const BenchRow& preset) { return preset.name + ", general path" == row.name; });
    ASSERT_NE(compiled, result.presets.end()) << row.name;
    EXPECT_EQ(row.ratio_to_compiled, row.ns_per_step / compiled->ns_per_step);
    EXPECT_NE(row.ratio_to_compiled, 1.0) << "two measurements with the same time: was one of them copied?";
  }
  for (const BenchRow& row : result.presets) EXPECT_EQ(row.ratio_to_compiled, 0.0) << row.name;
}

TEST(Bench, JsonHasTheMeasuredNumbers) {
  const BenchResult& result = measured_steps();
  const json root = json::parse(bench_json(result));
  EXPECT_EQ(root["bare_step_ns"], result.bare_ns);
  EXPECT_EQ(root["bare_step_aim_ns"], 6.0);
  const auto expect_rows = [&](const char* key, const std::vector<BenchRow>& rows) {
    ASSERT_EQ(root[key].size(), rows.size()) << key;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const json& row = root[key][k];
      EXPECT_EQ(row["name"], rows[k].name);
      EXPECT_EQ(row["ns_per_step"], rows[k].ns_per_step);
      EXPECT_EQ(row["ratio"], rows[k].ratio);
      EXPECT_EQ(row.contains("aim_ns"), rows[k].aim_ns > 0.0);
      EXPECT_EQ(row.value("ratio_to_compiled", 0.0), rows[k].ratio_to_compiled);
    }
  };
  expect_rows("presets", result.presets);
  expect_rows("general_path", result.general);
  expect_rows("flat_in_steps", result.flat_in_steps);
  expect_rows("default_learner", result.default_learner);
  expect_rows("evaluation", result.evaluation);
  for (std::size_t k = 0; k < result.default_learner.size(); ++k) {
    EXPECT_GT(result.default_learner[k].ratio_to_tuned, 0.0);
    EXPECT_EQ(root["default_learner"][k]["ratio_to_tuned"], result.default_learner[k].ratio_to_tuned);
  }
  for (const char* key : {"version", "compiler", "instruction_set"}) EXPECT_NE(root["build"].value(key, ""), "") << key;
  EXPECT_FALSE(root.contains("engine"));
  EXPECT_FALSE(root.contains("neural"));
}

TEST(Bench, JsonOfOtherPartsHasTheirRowsOnly) {
  BenchResult result;
  result.neural = {{.name = "a", .value = 2.0, .unit = "x", .aim = 3.0},
                   {.name = "b", .value = 2.5, .unit = "ms", .aim = 4.0, .at_most = true},
                   {.name = "c", .value = 1.0},
                   {.name = "d", .skipped = "why not"}};
  const json root = json::parse(bench_json(result));
  EXPECT_FALSE(root.contains("presets"));
  EXPECT_FALSE(root.contains("bare_step_ns"));
  EXPECT_EQ(root["neural"], json::parse(R"([{"name": "a", "value": 2.0, "unit": "x", "aim_at_least": 3.0},
                                            {"name": "b", "value": 2.5, "unit": "ms", "aim_at_most": 4.0},
                                            {"name": "c", "value": 1.0, "unit": ""},
                                            {"name": "d", "skipped": "why not"}])"));
}

TEST(Bench, TextNamesEveryRow) {
  BenchResult result = measured_steps();
  result.neural = {{.name = "learner", .value = 1234.5, .unit = "steps/s", .aim = 2000.0},
                   {.name = "d", .skipped = "why not"}};
  const std::string text = bench_text(result);
  for (const auto* rows :
       {&result.presets, &result.general, &result.flat_in_steps, &result.default_learner, &result.evaluation})
    for (const BenchRow& row : *rows) EXPECT_THAT(text, testing::HasSubstr(row.name));
  EXPECT_THAT(text, testing::HasSubstr("million steps per second and core"));
  EXPECT_THAT(text, testing::HasSubstr("bare step"));
  EXPECT_THAT(text, testing::ContainsRegex("learner +1234 steps/s +>= 2000\n"));
  EXPECT_THAT(text, testing::ContainsRegex("d +skipped: why not\n"));
  EXPECT_EQ(bench_text({}), "");
}

TEST(BenchEffort, IsAShareThatIsNeverNothing) {
  EXPECT_EQ(BenchEffort{}.of(250), 250);
  EXPECT_EQ((BenchEffort{.share = 0.1}.of(250)), 25);
  EXPECT_EQ((BenchEffort{.share = 0.001}.of(250)), 1);
  EXPECT_EQ((BenchEffort{.share = 0.001}.of(250, 7)), 7);
}

TEST(BenchClock, MedianIsTheMiddleValue) {
  EXPECT_EQ(median_of({3.0}), 3.0);
  EXPECT_EQ(median_of({9.0, 1.0, 5.0}), 5.0);
  EXPECT_EQ(median_of({9.0, 1.0, 5.0, 7.0}), 7.0);
}

}  // namespace
}  // namespace politex
