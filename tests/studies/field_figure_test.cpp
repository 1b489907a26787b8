#include "politex/studies/field/figure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "politex/figures/reproduce.hpp"
#include "politex/run/config_io.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

fs::path own_directory(const char* name) {
  return fs::path(testing::TempDir()) / fmt::format("politex_{}_{}", name, getpid());
}

TEST(FieldSuite, GivesEveryLearnerTheSameNumberOfSettings) {
  for (const FieldLearner& learner : field_learners()) {
    EXPECT_EQ(learner.settings.size(), settings_per_learner) << learner.name;
    const std::set<std::vector<std::string>> different(learner.settings.begin(), learner.settings.end());
    EXPECT_EQ(different.size(), settings_per_learner) << learner.name;
  }
  EXPECT_EQ(field_learners().front().name, "auto");
}

TEST(FieldGrid, EveryConfigurationIsAccepted) {
  const fs::path directory = own_directory("field");
  for (const bool quick : {false, true}) {
    const FieldGrid grid = field_grid(quick, 1);
    std::vector<const SuiteProblem*> problems;
    for (const FieldProblem* problem : grid.problems) problems.push_back(&problem->base);
    write_problems(problems, directory);
    std::set<std::string> names;
    for (FieldRun& run : field_runs(grid, directory)) {
      EXPECT_TRUE(names.insert(run.cell.name).second) << run.cell.name;
      EXPECT_EQ(run.cell.stage, run.setting < 0 ? 1 : 0);
      EXPECT_EQ(run.cell.seed >= first_field_seed, run.setting < 0);  // no fresh seed takes part in a choice
      EXPECT_NO_THROW(check(config_of(run.cell))) << run.cell.name;
    }
  }
  fs::remove_all(directory);
}

/// Costs by setting for every learner and problem: the third setting of the grid is the cheapest.
TEST(FieldChoices, TakeTheLeastMeanCostOfTheTuningSeeds) {
  const std::vector<FieldRun> runs = field_runs(field_grid(false, 1), "unused");
  std::vector<std::string> summaries;
  for (const FieldRun& run : runs) {
    // On the first seed setting 1 is better, on average setting 2; the fresh runs would favour setting 0.
    double cost = run.setting == 2 ? 1.0 : run.setting == 1 ? (run.cell.seed == 1 ? 0.5 : 2.5) : 3.0;
    if (run.setting < 0) cost = -100.0;
    summaries.push_back(fmt::format(R"({{"average_cost": {}}})", cost));
  }
  const auto choices = field_choices(runs, summaries);
  EXPECT_EQ(choices.size(), field_learners().size() * field_problems().size());
  for (const auto& [key, choice] : choices) {
    EXPECT_EQ(choice.chosen, 2U) << key.first << key.second;
    EXPECT_EQ(choice.cost, (std::vector{3.0, 1.5, 1.0, 3.0}));
  }
  EXPECT_EQ(setting_of(runs.back(), choices), runs.back().learner->settings[2]);
}

/// The i-th learner has this mean score everywhere, with a small spread, and a loss that falls like t^slope.
FieldData field_story(const std::vector<double>& score_of, double slope = -0.5, double heuristic = 0.5) {
  FieldData data{.grid = field_grid(false), .choices = {}, .results = {}, .heuristics = {}, .seconds = {}};
  for (const FieldProblem* problem : data.grid.problems) {
    for (const std::string& name : problem->heuristics) data.heuristics[{problem->base.name, name}] = heuristic;
    for (std::size_t i = 0; i < field_learners().size(); ++i) {
      data.choices[{problem->base.name, field_learners()[i].name}].cost.resize(data.grid.settings);
      data.seconds[{problem->base.name, field_learners()[i].name}] = 1e-7 * static_cast<double>(i + 1);
      for (int k = 0; k < data.grid.seeds; ++k) {
        const double score = score_of[i] + 0.001 * (k % 2 == 0 ? 1.0 : -1.0) * (i % 2 == 0 ? 1.0 : -0.5);
        ExplorationResult result{.seed = first_field_seed + static_cast<std::uint64_t>(k),
                                 .score = score,
                                 .last_tenth = score,
                                 .explorer_share = 0.0,
                                 .loss = {}};
        for (double steps = 50.0; steps <= static_cast<double>(data.grid.steps); steps *= 10.0)
          result.loss.push_back({static_cast<std::int64_t>(steps), std::pow(steps / 50.0, slope)});
        data.results[{problem->base.name, field_learners()[i].name}].push_back(result);
      }
    }
  }
  return data;
}

/// The default, PSRL and EE-Politex have these scores; all others have .6, and Politex too.
std::vector<double> scores_with(double ours, double psrl, double exploring) {
  std::vector<double> scores;
  for (const FieldLearner& learner : field_learners())
    scores.push_back(learner.name == "auto"         ? ours
                     : learner.name == "psrl"       ? psrl
                     : learner.name == "ee_politex" ? exploring
                                                    : 0.6);
  return scores;
}

TEST(FieldData, RanksSharesAndSlopes) {
  const FieldData data = field_story(scores_with(0.9, 0.95, 0.5), -0.5);
  const std::vector<Interval> ranks = mean_ranks(data);
  const auto learners = static_cast<double>(field_learners().size());
  const auto psrl = std::ranges::find(field_learners(), "psrl", &FieldLearner::name) - field_learners().begin();
  EXPECT_EQ(ranks[static_cast<std::size_t>(psrl)], (Interval{1.0, 1.0, 1.0}));
  EXPECT_EQ(ranks.front(), (Interval{2.0, 2.0, 2.0}));            // the default
  EXPECT_EQ(ranks[1], (Interval{learners, learners, learners}));  // EE-Politex
  double sum = 0.0;
  for (const Interval& each : ranks) sum += each.mean;
  EXPECT_NEAR(sum, learners * (learners + 1.0) / 2.0, 1e-9);  // ties share their places
  EXPECT_LT(ranks[2].low, ranks[2].high);                     // the equals are in no certain order
  EXPECT_EQ(share_within(data, field_learners().front(), 0.04), 0.0);
  EXPECT_EQ(share_within(data, field_learners().front(), 0.06), 1.0);
  EXPECT_NEAR(regret_slope(data, field_learners().front()), 0.5, 1e-9);
  EXPECT_NEAR(regret_slope(field_story(scores_with(0.9, 0.9, 0.9), 0.0), field_learners()[3]), 1.0, 1e-9);
}

std::vector<Finding> field_findings(const FieldData& data) {
  std::vector<Finding> all;
  for (const Claim& claim : field_claims(data)) all.push_back(judge(claim).finding);
  return all;
}

TEST(FieldClaims, EveryVerdictCanComeOutEitherWay) {
  using enum Finding;
  EXPECT_EQ(field_findings(field_story(scores_with(0.9, 0.95, 0.7))), std::vector<Finding>(4, holds));
  EXPECT_EQ(field_findings(field_story(scores_with(0.8, 0.95, 0.7))), (std::vector{fails, holds, holds, holds}));
  EXPECT_EQ(field_findings(field_story(scores_with(0.9, 0.8, 0.7))), (std::vector{holds, fails, holds, holds}));
  EXPECT_EQ(field_findings(field_story(scores_with(0.9, 0.95, 0.5))), (std::vector{holds, holds, fails, holds}));
  EXPECT_EQ(field_findings(field_story(scores_with(0.9, 0.95, 0.7), -0.5, 0.99)),
            (std::vector{holds, holds, holds, fails}));
}

TEST(FieldReport, HasEveryLearnerAndWhatWasTried) {
  const FieldData data = field_story(scores_with(0.9, 0.95, 0.7));
  const std::vector<FieldRun> runs = field_runs(data.grid, "unused");
  const FigureReport report = field_report(data, runs);
  ASSERT_EQ(report.files.size(), 4U);
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  const auto pairs = static_cast<std::ptrdiff_t>(field_learners().size() * field_problems().size());
  EXPECT_EQ(lines(report.files[0].bytes), 1 + pairs * data.grid.seeds);
  EXPECT_EQ(lines(report.files[1].bytes), 1 + pairs * static_cast<std::ptrdiff_t>(settings_per_learner));
  EXPECT_EQ(report.pictures.front().plot.panels.size(), field_problems().size());
  // Best rank first; one row per learner, and one per problem.
  const std::string& tables = report.files[3].bytes;
  EXPECT_LT(tables.find("| PSRL | 1.0 [1.0, 1.0] |"), tables.find("| auto | 2.0 [2.0, 2.0] |"));
  EXPECT_NE(tables.find("| auto | 2.0 [2.0, 2.0] | 0% | 100% | 0.90 | 0.50 | 100 ns | 5 S A"), std::string::npos)
      << tables;
  EXPECT_NE(tables.find("| Access control | 0.95 |"), std::string::npos) << tables;
  EXPECT_EQ(lines(tables), 2 + 4 + static_cast<std::ptrdiff_t>(field_learners().size() + field_problems().size()));
}

}  // namespace
}  // namespace politex
