#include "politex/report/run_report.hpp"
#include "politex/base/picture.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/report/assets.hpp"
#include "politex/report/curves.hpp"
#include "report/report_runs.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

TEST_F(ReportTest, TailKeepsAFewRowsAndTheNewest) {
  const fs::path file = root_ / "progress.csv";
  ProgressTail tail(file, 16);
  EXPECT_FALSE(tail.update());
  EXPECT_TRUE(tail.rows().empty());
  write_text(file, "phase,steps,average_cost\n");
  std::string all;
  for (int i = 1; i <= 1000; ++i) {
    const std::string row = fmt::format("{},{},{}\n", i, 10 * i, -0.5 * i);
    write_text(file, row, std::ios::app);
    if (i % 97 == 0) {
      EXPECT_TRUE(tail.update());
      EXPECT_FALSE(tail.update());
      EXPECT_EQ(tail.rows().back(), (std::vector<double>{1.0 * i, 10.0 * i, -0.5 * i}));
      EXPECT_LE(tail.rows().size(), 33U);
    }
  }
  tail.update();
  EXPECT_EQ(tail.rows_in_file(), 1000);
  EXPECT_EQ(tail.rows().front().front(), 1.0);
  EXPECT_EQ(tail.rows().back().front(), 1000.0);
  const auto rows = tail.rows();
  for (std::size_t i = 2; i + 1 < rows.size(); ++i) EXPECT_EQ(rows[i][0] - rows[i - 1][0], rows[1][0] - rows[0][0]);
}

TEST_F(ReportTest, ALargeFileIsSampledAndItsGrowthFollowed) {
  const fs::path file = root_ / "progress.csv";
  std::string all = "phase,steps,average_cost\n";
  const auto row = [](int i) { return fmt::format("{},{},{}\n", i, 10 * i, -0.5 * i); };
  for (int i = 1; i <= 20'000; ++i) all += row(i);
  write_text(file, all + "20001,2000");
  ProgressTail sampled(file, 64, 1 << 17);
  ProgressTail whole(file, 64);
  sampled.update();
  whole.update();
  EXPECT_EQ(sampled.names(), whole.names());
  EXPECT_EQ(sampled.rows().back(), whole.rows().back());
  EXPECT_EQ(sampled.rows().front(), whole.rows().front());
  EXPECT_NEAR(static_cast<double>(sampled.rows_in_file()), 20'000.0, 1000.0);
  const auto expect_true_rows = [&](int last) {
    const auto rows = sampled.rows();
    EXPECT_GE(rows.size(), 50U);
    EXPECT_LE(rows.size(), 129U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i], (std::vector<double>{rows[i][0], 10 * rows[i][0], -0.5 * rows[i][0]}));
      if (i == 0) continue;
      EXPECT_GT(rows[i][0], rows[i - 1][0]);
      EXPECT_LT(rows[i][0] - rows[i - 1][0], last / 16);
    }
    EXPECT_EQ(rows.back().front(), last);
  };
  expect_true_rows(20'000);
  write_text(file, "10,-10000.5\n", std::ios::app);
  for (int i = 20'002; i <= 60'000; ++i) {
    write_text(file, row(i), std::ios::app);
    if (i % 9'999 == 0) sampled.update();
  }
  sampled.update();
  expect_true_rows(60'000);
  write_text(file, std::string(1 << 19, 'z'));  // large, and not a table
  EXPECT_NO_THROW(sampled.update());
  EXPECT_NO_THROW(ProgressTail(file, 64, 1 << 17).update());
  write_text(file, "a\n" + std::string(1 << 19, '\n'));
  ProgressTail empty(file, 64, 1 << 17);
  EXPECT_NO_THROW(empty.update());
}

TEST_F(ReportTest, TailHandlesPartialLinesTruncationAndGarbage) {
  const fs::path file = root_ / "progress.csv";
  ProgressTail tail(file);
  write_text(file, "phase,steps,average_cost\n1,10,-0.5\n2,20,-0");
  tail.update();
  EXPECT_EQ(tail.rows().size(), 1U);
  write_text(file, ".25\n3,30,\n", std::ios::app);
  tail.update();
  ASSERT_EQ(tail.rows().size(), 3U);
  EXPECT_EQ(tail.rows()[1][2], -0.25);
  EXPECT_TRUE(std::isnan(tail.rows()[2][2]));
  write_text(file, "phase,steps,average_cost\n1,10,7\n");  // truncated, as by a resumed run
  tail.update();
  ASSERT_EQ(tail.rows().size(), 1U);
  EXPECT_EQ(tail.rows()[0][2], 7.0);
  write_text(file, "x,y\n2,20\nnot a number,1,2\n3,30,-1\n", std::ios::app);
  tail.update();
  EXPECT_EQ(tail.rows().size(), 2U);
  write_text(file, std::string(200'000, 'z'));
  EXPECT_NO_THROW(tail.update());
}

TEST_F(ReportTest, TuningRunsAreNotMixedWithFreshRuns) {
  for (int seed = 1; seed <= 4; ++seed)
    make_run_directory(fmt::format("runs/seed={}", seed), 5, "politex", seed, seed > 2 ? -1.0 : -2.0);
  write_text(root_ / "sweep.json",
             R"({"runs": [{"name": "seed=1", "stage": "tuning"}, {"name": "seed=2", "stage": "tuning"},
            {"name": "seed=3", "stage": "fresh"}, {"name": "seed=4", "stage": "fresh"}, 7, {"name": 3},
            {"name": "seed=4", "stage": "another"}]})");
  // Also during the tuning: tuning.csv is written at its end.
  EXPECT_EQ(group_runs(read_runs(std::vector{root_})).size(), 2U);
  write_text(
      root_ / "tuning.csv",
      "algorithm,settings,offered,tried,tuning_mean,tuning_low,tuning_high,chosen,fresh_mean,fresh_low,fresh_high\n"
      "politex,algorithm.eta=0.5,1,1,-2,-3,-1,1,-1,-1.5,-0.5\nhalf a line");
  write_text(root_ / "sensitivity-algorithm.eta.svg", "<?xml?><svg id='drawn'></svg>");
  const auto runs = read_runs(std::vector{root_});
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(statistics_of(runs, groups[0]).mean.mean, -1.0);
  EXPECT_NE(groups[0].learner.find("stage=fresh"), std::string::npos);
  const std::string page = run_report_html(runs, groups, {.command = "politex report x", .directories = {root_}});
  EXPECT_NE(page.find("<td>algorithm.eta=0.5</td><td>−2.000<small> [−3.000, −1.000]"), std::string::npos);
  // An image: its content is no part of the page.
  EXPECT_NE(page.find("src=\"data:image/svg+xml;base64," + base64("<?xml?><svg id='drawn'></svg>")), std::string::npos);
  EXPECT_EQ(page.find("<svg id='drawn'>"), std::string::npos);
}

TEST_F(ReportTest, TuningsBelowADirectoryAreShownWithTheirFigures) {
  for (const char* sweep : {"first", "deep/second"}) {
    make_run_directory(std::string(sweep) + "/runs/seed=1", 5, "politex", 1, -1.0);
    write_text(root_ / sweep / "sweep.json", R"({"runs": [{"name": "seed=1", "stage": "tuning"}]})");
    write_text(root_ / sweep / "tuning.csv", std::string("head\npolitex,") + sweep + ",1,1,-2,-3,-1,1,-1,-1.5,-0.5\n");
    write_text(root_ / sweep / "sensitivity-algorithm.eta.svg", std::string("<svg id='") + sweep + "'></svg>");
  }
  // Symbolic links are ignored: reports may be served.
  write_text(root_ / "secret", "<svg id='hidden'></svg>");
  fs::create_symlink(root_ / "secret", root_ / "first" / "sensitivity-b.svg");
  write_text(root_ / "first" / "sensitivity-c.svg", "");  // being written
  write_text(root_ / "first" / "sensitivity-d.svg", "<svg id='half");
  const auto page_of = [&](const fs::path& directory) {
    const auto runs = read_runs(std::vector{directory});
    return run_report_html(runs, group_runs(runs), {.command = "politex report x", .directories = {directory}});
  };
  const std::string parent = page_of(root_);
  for (const char* sweep : {"first", "deep/second"}) {
    EXPECT_NE(parent.find(fmt::format("How the settings were chosen in {}<", sweep)), std::string::npos);
    EXPECT_NE(parent.find(fmt::format("<td>{}</td>", sweep)), std::string::npos);
    EXPECT_NE(parent.find(base64(fmt::format("<svg id='{}'></svg>", sweep))), std::string::npos);
    EXPECT_NE(parent.find(fmt::format("also as PNG in {}.", (root_ / sweep).string())), std::string::npos);
  }
  EXPECT_EQ(parent.find(base64("<svg id='hidden'></svg>")), std::string::npos);
  EXPECT_EQ(parent.find(base64("<svg id='half")), std::string::npos);
  EXPECT_NE(page_of(root_ / "first").find("How the settings were chosen<"), std::string::npos);
  EXPECT_EQ(page_of(root_ / "first" / "runs" / "seed=1").find("How the settings"), std::string::npos);
  EXPECT_EQ(parent.find("This tuning is not finished"), std::string::npos);
  fs::remove(root_ / "first" / "tuning.csv");
  EXPECT_NE(page_of(root_ / "first").find("This tuning is not finished"), std::string::npos);
}

TEST_F(ReportTest, TheStageOfARunDoesNotDependOnTheWorkingDirectory) {
  make_run_directory("runs/seed=1", 5, "politex", 1, -1.0);
  write_text(root_ / "sweep.json", R"({"runs": [{"name": "seed=1", "stage": "tuning"}]})");
  const fs::path before = fs::current_path();
  const auto stage_from = [&](const fs::path& here, const char* directory) {
    fs::current_path(here);
    const std::string stage = read_runs(std::vector{fs::path(directory)})[0].setting("stage");
    fs::current_path(before);
    return stage;
  };
  EXPECT_EQ(stage_from(root_, "."), "tuning");
  EXPECT_EQ(stage_from(root_, "runs/"), "tuning");
  EXPECT_EQ(stage_from(root_ / "runs", "."), "tuning");
  EXPECT_EQ(stage_from(root_ / "runs/seed=1", "."), "tuning");
  EXPECT_EQ(stage_from(before, (root_ / "runs/seed=1/").c_str()), "tuning");
  fs::rename(root_ / "runs/seed=1", root_ / "runs/\xff");
  write_text(root_ / "sweep.json", "{\"runs\": [{\"name\": \"\xef\xbf\xbd\", \"stage\": \"fresh\"}]}");  // in JSON
  EXPECT_EQ(stage_from(root_, "."), "fresh");
}

TEST_F(ReportTest, SweepsWithoutStagesHaveNone) {
  for (const char* text :
       {"", "{", "[]", "7", R"({"stage": 1})", R"({"runs": {"stage": 1}})", R"({"runs": [{"stage": 2}]})",
        R"({"runs": [{"name": "a"}]})", R"({"runs": [["stage"], "stage"]})"})
    EXPECT_TRUE(stages_in(text).empty()) << text;
  EXPECT_EQ(stages_in(R"({"runs": [{"name": "a", "stage": "fresh"}]})").at("a"), "fresh");
}

TEST_F(ReportTest, RunsThatDifferOnlyInTheSeedFormAGroup) {
  for (const int size : {20, 5}) {
    for (int seed = 1; seed <= 3; ++seed) {
      make_run_directory(fmt::format("p{}-{}", size, seed), size, "politex", seed, 0.0);
      make_run_directory(fmt::format("e{}-{}", size, seed), size, "ee_politex", seed, -1.0 - 0.1 * seed);
    }
  }
  const auto runs = read_runs(std::vector{root_});
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].label(), "size=5: algorithm=ee_politex");
  EXPECT_EQ(groups[3].label(), "size=20: algorithm=politex");
  for (const RunGroup& group : groups) EXPECT_EQ(group.runs.size(), 3U);
  const GroupStatistics statistics = statistics_of(runs, groups[0]);
  EXPECT_NEAR(statistics.mean.mean, -1.2, 1e-12);
  EXPECT_NEAR(statistics.mean.half_width(), 4.302652729911275 * 0.1 / std::sqrt(3.0), 1e-9);
  EXPECT_FALSE(std::isfinite(statistics.median.low));  // three seeds are too few for order statistics
  EXPECT_NEAR(statistics.worst, -1.1, 1e-12);
  EXPECT_TRUE(std::isnan(statistics.gain_from_start));

  const auto pairs = improvements(runs, groups);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].better, "algorithm=ee_politex");
  EXPECT_EQ(pairs[0].probability.mean, 1.0);
  EXPECT_GT(pairs[0].probability.low, 0.5);
  EXPECT_LT(pairs[0].probability.low, 0.8);
  const Aggregates all = aggregates(runs, groups);
  ASSERT_EQ(all.learners.size(), 2U);
  EXPECT_TRUE(all.above_optimum);
  EXPECT_EQ(all.tasks, (std::vector<std::string>{"size=5", "size=20"}));
  EXPECT_NEAR(all.learners[0].mean.mean, 0.3, 1e-12);
  EXPECT_NEAR(all.learners[1].mean.mean, 1.5, 1e-12);
}

TEST_F(ReportTest, ADeeplyNestedSummaryDoesNotCrash) {
  make_run_directory("a", 5, "politex", 1, -1.0);
  std::string deep = "{\"average_cost\": -3,";
  for (int k = 0; k < 100'000; ++k) deep += "\"a\":{";
  write_text(root_ / "a" / "summary.json", deep + std::string(100'001, '}'));
  const auto runs = read_runs(std::vector{root_});
  EXPECT_EQ(runs[0].number("average_cost"), -3.0);
}

TEST_F(ReportTest, ARunThatIsGivenTwiceIsOneSeed) {
  for (int seed = 1; seed <= 3; ++seed) make_run_directory(fmt::format("r{}", seed), 5, "politex", seed, -1.0 * seed);
  fs::create_directory_symlink(root_ / "r2", root_ / "link");
  for (const auto& roots : {std::vector{root_}, std::vector{root_, root_}, std::vector{root_, root_ / "r1"},
                            std::vector{root_ / "r3", root_ / "r3/", root_ / "." / "r1", root_ / "link", root_}}) {
    const auto runs = read_runs(roots);
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(statistics_of(runs, group_runs(runs).at(0)).mean.mean, -2.0);
  }
  fs::create_symlink(root_ / "loop", root_ / "loop");
  EXPECT_THROW(read_runs(std::vector{root_ / "loop"}), ConfigError);
}

TEST_F(ReportTest, RunsWithoutRowsAreNotYetSeeds) {
  make_run_directory("r1", 5, "politex", 1, -1.25);
  for (int seed = 2; seed <= 3; ++seed) {
    make_run_directory(fmt::format("r{}", seed), 5, "politex", seed, -1.0, 100, false);
    write_text(root_ / fmt::format("r{}/progress.csv", seed), "phase,steps,average_cost,phase_average_cost,regret\n");
  }
  const auto runs = read_runs(std::vector{root_});
  const auto groups = group_runs(runs);
  const GroupStatistics one = statistics_of(runs, groups.at(0));
  EXPECT_EQ(one.seeds, 1U);
  ASSERT_TRUE(one.batch_means);
  EXPECT_EQ(one.batch_means->mean, -1.25);
  const std::string page = run_report_html(runs, groups, {.command = "politex report x", .directories = {root_}});
  EXPECT_NE(page.find("<td>1 of 3</td><td>−1.250</td><td>–</td>"), std::string::npos);
  write_run_report({.directories = {root_}, .out = root_ / "out", .command = "politex report x"});
  EXPECT_NE(bytes_of(root_ / "out/comparison.csv").find(",1,-1.25,,,-1.25,,,-1.25,"), std::string::npos);
}

TEST_F(ReportTest, HugeNumbersDoNotHideOtherNumbers) {
  make_run_directory("r1", 5, "politex", 1, -1.0);
  make_run_directory("r2", 5, "politex", 2, -1.0);
  write_text(root_ / "r1/progress.csv", "101,inf,-1,-1,0\n102,1e300,-1,-1,0\n103,,-1,-1,0\n", std::ios::app);
  const auto runs = read_runs(std::vector{root_});
  EXPECT_EQ(runs.at(0).rows.back().front(), 100.0);
  EXPECT_EQ(nlohmann::json::parse(curves_json(runs, group_runs(runs), 100'000))["steps"].back(), 10'000);
  for (const char* name : {"r1", "r2"}) make_run_directory(name, 5, "politex", name[1] - '0', 1e308);
  EXPECT_TRUE(fs::exists(write_run_report({.directories = {root_}, .out = root_ / "out", .command = "x"})));
}

TEST_F(ReportTest, AFigureHasNoMoreCurvesThanLooks) {
  for (int i = 0; i < 12; ++i) make_run_directory(fmt::format("r{}", i), 5, fmt::format("a{}", i), 1, -1.0, 3);
  write_run_report({.directories = {root_}, .out = root_ / "out", .command = "x"});
  EXPECT_NE(bytes_of(root_ / "out/average_cost-1.gp").find("$series10 "), std::string::npos);
  EXPECT_EQ(bytes_of(root_ / "out/average_cost-1.gp").find("$series11 "), std::string::npos);
  EXPECT_NE(bytes_of(root_ / "out/average_cost-2.svg").find("algorithm=a9"), std::string::npos);
  EXPECT_FALSE(fs::exists(root_ / "out/average_cost-3.gp"));
}

TEST_F(ReportTest, CommandsAreQuotedForAShell) {
  EXPECT_EQ(shell_word("runs/algorithm.eta=0.1,seed=1"), "runs/algorithm.eta=0.1,seed=1");
  EXPECT_EQ(shell_word("my run"), "'my run'");
  EXPECT_EQ(shell_word("it's; rm"), R"('it'\''s; rm')");
  EXPECT_EQ(shell_word(""), "''");
  make_run_directory("my run", 5, "politex", 1, -1.0);
  const auto runs = read_runs(std::vector{root_});
  const std::string page = run_report_html(runs, group_runs(runs), {.command = "x", .directories = {root_}});
  EXPECT_NE(page.find("my run/config.toml&#39; seed=1"), std::string::npos);
}

TEST_F(ReportTest, TheCommandOfASweepIsShown) {
  make_run_directory("a sweep/runs/seed=1", 5, "politex", 1, -1.0);
  write_text(root_ / "a sweep/sweep.json",
             R"({"file": "my exp.toml", "arguments": ["--seeds", "1", "eta=0.1,0.2", 7], "runs": []})");
  const auto runs = read_runs(std::vector{root_});
  const std::string page = run_report_html(runs, group_runs(runs), {.command = "politex report x", .directories = {}});
  EXPECT_NE(page.find(fmt::format(
                "politex sweep &#39;my exp.toml&#39; --seeds 1 eta=0.1,0.2 --out &#39;{}&#39;\npolitex report x",
                (root_ / "a sweep").string())),
            std::string::npos);
  for (const char* text : {"", "{}", "[]", R"({"file": 1})", R"({"file": "x", "arguments": 2})"}) {
    write_text(root_ / "a sweep/sweep.json", text);
    EXPECT_EQ(sweep_command(root_ / "a sweep"), "") << text;
  }
}

TEST_F(ReportTest, QuotesInASettingStayInTheirCell) {
  make_run_directory("r1", 5, "polit\\\"ex, b", 1, -1.0);
  make_run_directory("r2", 5, "politex", 1, -1.0);
  write_run_report({.directories = {root_}, .out = root_ / "out", .command = "x"});
  EXPECT_NE(bytes_of(root_ / "out/comparison.csv").find("\"\"ex, b\",1,-1"), std::string::npos);
}

TEST_F(ReportTest, CurvesShareOneGrid) {
  make_run_directory("long", 5, "politex", 1, -1.0, 200);
  make_run_directory("short", 5, "politex", 2, -0.5, 50, false);
  const auto runs = read_runs(std::vector{root_});
  const CommonCurves curves = common_curves(runs, metrics_of(runs));
  EXPECT_EQ(curves.metrics, (std::vector<std::string>{"average_cost", "recent_cost", "regret", "regret_to_gain"}));
  EXPECT_EQ(curves.steps.back(), 20'000.0);
  EXPECT_TRUE(std::ranges::is_sorted(curves.steps));
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    EXPECT_NEAR(curves.values[1][0][i], -1.0, 1e-9) << curves.steps[i];
    if (curves.steps[i] > 5'100.0) {
      EXPECT_TRUE(std::isnan(curves.values[0][1][i]));
    }
  }
  const auto json = nlohmann::json::parse(curves_json(runs, group_runs(runs), 100'000));
  EXPECT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["values"][0][0].size(), json["steps"].size());
}

TEST_F(ReportTest, WritesAPageAndFiguresTheSameBytesAgain) {
  for (int seed = 1; seed <= 3; ++seed) {
    make_run_directory(fmt::format("a<b>{}", seed), 5, "politex", seed, -1.0 - 0.1 * seed);
    make_run_directory(fmt::format("e{}", seed), 5, "ee_politex", seed, -1.2, 100, seed != 3);
  }
  const ReportOptions options{.directories = {root_}, .out = root_ / "report", .command = "politex report X"};
  const fs::path page = write_run_report(options);
  const std::string first = bytes_of(page);
  EXPECT_EQ(first.find("a<b>1"), std::string::npos);
  EXPECT_NE(first.find("1 of 6 runs are not finished"), std::string::npos);
  EXPECT_NE(first.find("politex report X"), std::string::npos);
  EXPECT_EQ(first.find(" src="), std::string::npos);
  for (const char* name : {"average_cost.svg", "average_cost.png", "recent_cost.svg", "regret.svg", "comparison.csv"}) {
    EXPECT_TRUE(fs::exists(root_ / "report" / name)) << name;
  }
  write_run_report(options);
  EXPECT_EQ(first, bytes_of(page));
}

TEST_F(ReportTest, TheTablesMatchThePage) {
  for (const int size : {5, 20}) {
    for (int seed = 1; seed <= 2; ++seed) {
      make_run_directory(fmt::format("p{}-{}", size, seed), size, "politex", seed, -0.5 * seed);
      make_run_directory(fmt::format("e{}-{}", size, seed), size, "ee_politex", seed, -1.25);
    }
  }
  make_run_directory("alone", 50, "politex", 1, -1.0);
  fs::copy(root_ / "p5-1", root_ / "copy");
  write_text(root_ / "alone/summary.json",
             R"({"average_cost": -1.0, "regret": 21, "regret_terms": {"E": 1, "PR": 2, "V": 3, "W": 4, "V_explore": 5,
             "W_explore": 6}})");
  const std::string page =
      bytes_of(write_run_report({.directories = {root_}, .out = root_ / "out", .command = "politex report x"}));
  EXPECT_NE(page.find("1 of 10 runs repeat the trajectory of another run"), std::string::npos);
  EXPECT_NE(page.find("Not included, because not every learner has tried them: size=50."), std::string::npos);
  EXPECT_NE(page.find("<td>1.00</td><td>2.00</td><td>3.00</td><td>4.00</td><td>5.00</td><td>6.00</td><td>21.0</td>"),
            std::string::npos);
  const auto table = [&](const char* name) { return bytes_of(root_ / "out" / name); };
  EXPECT_EQ(table("aggregates.csv"),
            "learner,tasks,of,mean,mean_low,mean_high,worst\n"
            "\"algorithm=ee_politex\",2,cost_above_optimum,0.25,0.25,0.25,0.25\n"
            "\"algorithm=politex\",2,cost_above_optimum,0.75,0,2.9961608830234385,1\n");  // the optimum ends it below
  EXPECT_EQ(table("improvement.csv"),
            "better,than,tasks,probability,low,high\n"
            "\"algorithm=ee_politex\",\"algorithm=politex\",2,1,0.3848591463226433,1\n");
  EXPECT_NE(table("regret_terms.csv").find("\"size=50\",\"algorithm=politex\",1,PR,2,,,0\n"), std::string::npos);
  EXPECT_NE(table("comparison.csv").find("\"size=50\",\"algorithm=politex\",1,-1,,,-1,,,-1,,,,,21,-1,-1\n"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(root_ / "out/regret_terms-3.svg"));
}

TEST_F(ReportTest, SmallCostsKeepTheirDigits) {
  for (int seed = 1; seed <= 3; ++seed)
    make_run_directory(fmt::format("r{}", seed), 5, "politex", seed, 1e-5 * (10 + seed));
  const auto runs = read_runs(std::vector{root_});
  const std::string page = run_report_html(runs, group_runs(runs), {.command = "x", .directories = {root_}});
  EXPECT_NE(page.find("<td>0.000120<small> [0.000095, 0.000145]</small></td>"), std::string::npos);
}

TEST_F(ReportTest, WithoutRunsNothingIsWritten) {
  EXPECT_THROW(write_run_report({.directories = {root_}, .out = root_ / "out", .command = ""}), ConfigError);
  EXPECT_FALSE(fs::exists(root_ / "out"));
  EXPECT_THROW(read_runs(std::vector{root_ / "absent"}), ConfigError);
}

TEST(Assets, AreCompleteAndTheirHashesAreBase64) {
  EXPECT_GT(dygraph_js().text.size(), 100'000U);
  EXPECT_EQ(dygraph_js().text.find("</script"), std::string_view::npos);
  for (const Asset& script : {view_js(), report_js(), pictures_js()})
    EXPECT_EQ(script.text.find("</script"), std::string_view::npos);
  // SHA-256 of the empty string, a standard test vector.

  EXPECT_EQ(csp_hash({"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

}  // namespace
}  // namespace politex
