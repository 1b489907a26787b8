#include "politex/report/best_section.hpp"

#include <cmath>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "politex/base/unknown.hpp"

namespace politex {
namespace {

GroupStatistics measured(std::size_t seeds, double low, double mean, double high) {
  GroupStatistics s;
  s.seeds = seeds;
  s.mean = {.mean = mean, .low = low, .high = high};
  s.optimal_gain = unknown;
  return s;
}

RunGroup named(const std::string& task, const std::string& learner) {
  RunGroup group;
  group.task = task;
  group.learner = learner;
  return group;
}

TEST(BestSetting, IsTheLowestMeanOfEachTask) {
  const std::vector<RunGroup> groups{named("size=5", "a"), named("size=5", "b"), named("size=9", "a"),
                                     named("size=9", "b"), named("size=20", "a")};
  const std::vector<GroupStatistics> s{measured(5, 1, 2, 3), measured(5, 4, 5, 6), measured(5, 3, 4, 5),
                                       measured(5, 2, 3, 4), measured(5, 0, 0, 0)};
  const auto best = best_settings(groups, s);
  ASSERT_EQ(best.size(), 2U);  // size=20 has one setting only
  EXPECT_EQ(best[0].task, "size=5");
  EXPECT_EQ(best[0].group, 0U);
  EXPECT_EQ(best[0].settings, 2U);
  EXPECT_FALSE(best[0].tied);  // 4 > 2
  EXPECT_EQ(best[1].group, 3U);
  EXPECT_TRUE(best[1].tied);  // 3 is not above 3
  EXPECT_EQ(best_text(groups[0], s[0], best[0]),
            "size=5: a: average cost 2.000 [1.000, 3.000] over 5 seeds, the lowest of 2 settings");
}

TEST(BestSetting, ALuckySeedIsNotComparedWithMeansOfMany) {
  const std::vector<RunGroup> groups{named("", "a"), named("", "b"), named("", "lucky"), named("", "unknown")};
  const std::vector<GroupStatistics> s{measured(6, 1, 2, 3), measured(3, 4, 5, 6), measured(1, -9, -9, -9),
                                       measured(0, unknown, unknown, unknown)};
  const auto best = best_settings(groups, s);
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0].group, 0U);
  EXPECT_EQ(best[0].settings, 2U);
  EXPECT_TRUE(best_settings(std::span(groups).first(1), std::span(s).first(1)).empty());
}

TEST(BestSetting, StandsOnThePageWithItsCommand) {
  std::vector<RunRecord> runs;
  for (const char* eta : {"0.1", "1"})
    for (int seed = 1; seed <= 3; ++seed) {
      RunRecord run;
      run.settings = {{"seed", std::to_string(seed)}, {"algorithm.eta", eta}};
      run.finished = true;
      run.numbers = {{"average_cost", (eta[0] == '1' ? -2.0 : -1.0) + 0.01 * seed}};
      run.words = {{"signature", std::string(eta) + std::to_string(seed)}};
      runs.push_back(run);
    }
  EXPECT_THAT(best_lines(runs, 5), testing::ElementsAre(testing::HasSubstr("eta=1: average cost −1.98")));
  EXPECT_TRUE(best_lines(runs, 0).empty());
  const auto json = nlohmann::json::parse(best_json(runs, group_runs(runs)));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_THAT(std::string(json[0]["text"]), testing::HasSubstr("eta=1: average cost −1.98"));
  EXPECT_EQ(json[0]["command"], "# seeds 1-3\npolitex run config.toml seed=1");
  EXPECT_EQ(json[0]["tied"], false);
  EXPECT_EQ(best_json(std::span(runs).first(3), group_runs(std::span(runs).first(3))), "[]");  // nothing to compare
  HtmlPage page("t");
  add_best(page, runs, group_runs(runs), [](const RunGroup& group) { return "run " + group.learner; });
  const std::string text = page.text();
  EXPECT_THAT(text, testing::HasSubstr("Best setting"));
  EXPECT_THAT(text, testing::HasSubstr("eta=1: average cost −1.98"));
  EXPECT_THAT(text, testing::HasSubstr("run "));
  EXPECT_THAT(text, testing::HasSubstr("fresh seeds"));
}

}  // namespace
}  // namespace politex
