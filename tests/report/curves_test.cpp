// Curves of many runs: which runs are in the mean, derived metrics, and the size of a page.
#include "politex/report/curves.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "politex/report/report_figures.hpp"
#include "politex/report/run_report.hpp"

namespace politex {
namespace {

/// A run of equal phases of 100 steps that all cost the same.
RunRecord even_run(int seed, double cost, int phases) {
  RunRecord run;
  run.name = fmt::format("runs/algorithm.name=politex,environment.size=20,seed={}", seed);
  run.settings = {{"seed", fmt::format("{}", seed)}, {"algorithm.name", "politex"}};
  run.columns = {"phase", "steps", "average_cost", "phase_average_cost"};
  for (int i = 1; i <= phases; ++i) run.rows.push_back({1.0 * i, 100.0 * i, cost, cost});
  run.finished = true;
  run.numbers = {{"average_cost", cost}};
  run.words = {{"signature", fmt::format("{:016x}", seed)}};
  return run;
}

nlohmann::json json_of(const std::vector<RunRecord>& runs, std::size_t cells = 100'000) {
  return nlohmann::json::parse(curves_json(runs, group_runs(runs), cells));
}

TEST(Curves, FailedAndEmptySeedsDoNotHideTheMean) {
  std::vector<RunRecord> runs{even_run(1, -1.0, 50), even_run(2, -2.0, 50), even_run(3, 7.0, 5), even_run(4, 7.0, 0)};
  runs[2].finished = runs[3].finished = false;
  runs[2].failure = "killed";
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 1U);
  const CommonCurves curves = common_curves(runs, metrics_of(runs));
  const Plot plot = curve_plot(curves, groups, "average_cost", "");
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_EQ(plot.series[0].label, "politex (2 of 4 seeds)");
  EXPECT_EQ(plot.series[0].x.back(), 5000.0);
  ASSERT_EQ(plot.series[0].each.size(), 2U);  // two seeds: both are drawn, and no band
  for (std::size_t i = 0; i < plot.series[0].y.size(); ++i) {
    EXPECT_EQ(plot.series[0].y[i], -1.5);
    EXPECT_EQ(plot.series[0].high[i], -1.5);
    EXPECT_EQ(plot.series[0].each[0][i], -1.0);
    EXPECT_EQ(plot.series[0].each[1][i], -2.0);
  }
  const auto json = json_of(runs);
  EXPECT_EQ(json["group_steps"].back(), 5000);
  EXPECT_EQ(json["group_values"][0][0][0].back(), -1.5);
  EXPECT_EQ(json["group_values"][0][0][1].back(), -2.0);  // the range of the seeds
  EXPECT_EQ(json["group_values"][0][0][2].back(), -1.0);
  EXPECT_EQ(json["groups"][0]["label"], "politex (2 of 4 seeds)");
  runs[0].failure = runs[1].failure = "killed";  // an earlier attempt failed; they are finished now
  EXPECT_EQ(curve_runs(common_curves(runs, metrics_of(runs)), 0, groups[0]), (std::vector<std::size_t>{0, 1}));
  runs[0].finished = runs[1].finished = false;  // if all failed, the failed ones are shown
  EXPECT_EQ(curve_runs(common_curves(runs, metrics_of(runs)), 0, groups[0]), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Curves, ABandNeverLeavesTheSeeds) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 7; ++seed) runs.push_back(even_run(seed, -1.5, 20));
  runs.push_back(even_run(8, 0.3, 20));  // one failure: Student's interval would begin below the optimum of -1.5
  const Plot plot = curve_plot(common_curves(runs, metrics_of(runs)), group_runs(runs), "average_cost", "");
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_TRUE(plot.series[0].each.empty());
  for (const double low : plot.series[0].low) EXPECT_EQ(low, -1.5);
  for (const double high : plot.series[0].high) EXPECT_LT(high, -0.7);
}

TEST(Curves, AGroupIsDrawnAsOnAPageThatHasMoreGroups) {
  std::vector<RunRecord> runs{even_run(1, -1.0, 20), even_run(1, -2.0, 20)};
  runs[0].settings.emplace_back("algorithm.eta", "0.1");
  runs[1].settings.emplace_back("algorithm.eta", "0.2");
  const CommonCurves curves = common_curves(runs, metrics_of(runs));
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(curve_plot(curves, groups, "average_cost", "").series[1].look.colour, look(1).colour);
  EXPECT_EQ(curve_plot(curves, groups, "average_cost", "", 3).series[1].look.colour, look(4).colour);
}

TEST(Curves, AMeanOverFewerSeedsIsNotDrawn) {
  std::vector<RunRecord> runs{even_run(1, -1.0, 50), even_run(2, -2.0, 25)};
  runs[1].finished = false;  // still running
  const Plot plot = curve_plot(common_curves(runs, metrics_of(runs)), group_runs(runs), "average_cost", "");
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_LE(plot.series[0].x.back(), 2600.0);
  EXPECT_GE(plot.series[0].x.back(), 2400.0);
}

TEST(Curves, RegretToTheGainFollowsFromTheOptimum) {
  std::vector<RunRecord> runs{even_run(1, -1.0, 50), even_run(2, -1.0, 50)};
  EXPECT_EQ(metrics_of(runs), (std::vector<std::string>{"average_cost", "recent_cost"}));
  runs[0].numbers["optimal_gain"] = -1.5;
  const CommonCurves curves = common_curves(runs, metrics_of(runs));
  ASSERT_EQ(curves.metrics.back(), "regret_to_gain");
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    const double steps = 100.0 * std::floor(curves.steps[i] / 100.0);  // of the newest row
    if (steps == 0.0) continue;
    EXPECT_NEAR(curves.values[2][0][i], 0.5 * steps, 1e-9);
    EXPECT_TRUE(std::isnan(curves.values[2][1][i]));  // its optimum is not known
  }
  EXPECT_EQ(curve_runs(curves, 2, group_runs(runs)[0]), std::vector<std::size_t>{0});
  runs[0].columns[3] = "regret_to_gain";  // a column of this name takes precedence
  EXPECT_EQ(common_curves(runs, metrics_of(runs)).values[2][0].back(), -1.0);
}

TEST(Curves, TheTermsAreDrawnForPrint) {
  std::vector<RunRecord> runs{even_run(1, -1.0, 50), even_run(2, -1.0, 50)};
  const auto groups = group_runs(runs);
  EXPECT_TRUE(terms_plot(common_curves(runs, metrics_of(runs)), groups[0]).series.empty());
  EXPECT_TRUE(final_terms_plot(groups, compare(runs, groups).terms).series.empty());
  for (RunRecord& run : runs) {
    for (std::size_t i = 0; i < regret_terms.size(); ++i) {
      run.columns.emplace_back(regret_terms[i]);
      for (auto& row : run.rows) row.push_back(static_cast<double>(i) * row[1]);
      run.numbers[std::string("regret_terms.") + regret_terms[i]] = 5000.0 * static_cast<double>(i);
    }
  }
  const Plot grown = terms_plot(common_curves(runs, metrics_of(runs)), groups[0]);
  ASSERT_EQ(grown.series.size(), regret_terms.size());
  EXPECT_EQ(grown.series[5].label, "W_explore");
  EXPECT_EQ(grown.series[5].y.back(), 25'000.0);
  const Plot last = final_terms_plot(groups, compare(runs, groups).terms);
  ASSERT_EQ(last.series.size(), 1U);
  EXPECT_EQ(last.series[0].y, (std::vector{0.0, 5000.0, 10'000.0, 15'000.0, 20'000.0, 25'000.0}));
  EXPECT_EQ(last.x_ticks[1].label, "PR");
  EXPECT_EQ(last.x_ticks[4].label, "V explore");
}

TEST(Curves, OnlyTheFirstOfHundredsOfSettingsAreDrawnForPrint) {
  std::vector<RunGroup> groups(12 * different_looks, RunGroup{.task = "", .learner = "a"});
  EXPECT_EQ(groups_drawn(groups), groups.size());
  groups.push_back(groups.back());
  EXPECT_EQ(groups_drawn(groups), 4 * different_looks);
}

TEST(Curves, NumbersAreShort) {
  EXPECT_EQ(json_number(1.5e6, 6), "1.5e6");
  EXPECT_EQ(json_number(-1.25e-7, 6), "-1.25e-7");
  EXPECT_EQ(json_number(1e100, 6), "1e100");
  EXPECT_EQ(json_number(-1.23456, 4), "-1.235");
  EXPECT_EQ(json_number(0.0), "0");
}

/// `count` runs like those of a long experiment with exact.every = 1: 24 metrics, as many rows as a report keeps.
std::vector<RunRecord> many_runs(int count, bool settings) {
  std::vector<RunRecord> runs;
  for (int i = 1; i <= count; ++i) {
    RunRecord run = even_run(settings ? 1 : i, -1.2345678 + 1e-5 * i, 320);
    if (settings) {
      run.settings.emplace_back("algorithm.eta", fmt::format("{}", 0.001 * i));
      run.name = fmt::format("runs/steps=2200000,environment.size=20,algorithm.eta={},seed=1", 0.001 * i);
    }
    run.config_text = std::string(600, '#');
    run.numbers["optimal_gain"] = -1.5;
    for (int column = 0; column < 21; ++column) {
      run.columns.push_back(fmt::format("column_{}", column));
      for (auto& row : run.rows) row.push_back(-1234.567 * std::sin(row[1] + i + column));
    }
    for (const char* term : regret_terms) run.numbers[std::string("regret_terms.") + term] = -12345.678 - i;
    run.numbers["regret"] = 123456.0;
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string page_of(const std::vector<RunRecord>& runs) {
  return run_report_html(runs, group_runs(runs), {.command = "politex report many", .directories = {}});
}

nlohmann::json data_in(const std::string& page) {
  const std::string opening = "id=\"data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Curves, APageOfAThousandSeedsStaysSmallWithDetailedMeans) {
  const std::string page = page_of(many_runs(1000, false));
  EXPECT_LT(page.size(), 5'000'000U);
  const auto data = data_in(page);
  EXPECT_TRUE(data["left_out"].empty());
  EXPECT_EQ(data["metrics"].size(), 24U);
  EXPECT_GE(data["group_steps"].size(), 200U);
  EXPECT_GE(data["steps"].size(), 8U);
}

TEST(Curves, APageOfThousandsOfSettingsStaysSmall) {
  for (const int count : {1000, 2000}) {
    const std::string page = page_of(many_runs(count, true));
    EXPECT_LT(page.size(), 5'000'000U);
    const auto data = data_in(page);
    EXPECT_GE(data["steps"].size(), 25U);
    EXPECT_EQ(data["values"][0].size(), static_cast<std::size_t>(count));
    EXPECT_EQ(data["metrics"][0], "average_cost");
    EXPECT_EQ(data["metrics"].size() + data["left_out"].size(), 24U);
    EXPECT_GE(data["metrics"].size(), count == 1000 ? 8U : 2U);
  }
}

TEST(Curves, ASmallPageHasEverything) {
  const auto data = data_in(page_of(many_runs(10, true)));
  EXPECT_GE(data["steps"].size(), 200U);
  EXPECT_EQ(data["metrics"].size(), 24U);
  EXPECT_EQ(data["values"][0][0].back(), -1.23456);
}

}  // namespace
}  // namespace politex
