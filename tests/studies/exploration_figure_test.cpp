#include "politex/studies/exploration/figure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>

#include "politex/base/error.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/run/config_io.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

const SuiteProblem& problem_named(std::string_view name) {
  return *std::ranges::find(suite_problems(), name, &SuiteProblem::name);
}

TEST(Suite, HasEveryProblemOnceAndTwinsThatExist) {
  std::set<std::string> names;
  for (const SuiteProblem& problem : suite_problems()) {
    EXPECT_TRUE(names.insert(problem.name).second) << problem.name;
    EXPECT_TRUE(problem.plain.empty() || names.contains(problem.plain)) << problem.name;
  }
  EXPECT_EQ(names.size(), 29U);
  EXPECT_EQ(suite_learners().front().role, SuiteLearner::Role::subject);
}

TEST(ExplorationGrid, EveryConfigurationIsAccepted) {
  const fs::path directory = fs::path(testing::TempDir()) / fmt::format("politex_suite_{}", getpid());
  for (const bool quick : {false, true}) {
    const ExplorationGrid grid = exploration_grid(quick, 1);
    write_problems(grid.problems, directory);
    std::set<std::string> names;
    for (const ExplorationRun& run : exploration_runs(grid, directory)) {
      EXPECT_NO_THROW(check(config_of(run.cell))) << run.cell.name;
      EXPECT_TRUE(names.insert(run.cell.name).second) << run.cell.name;
      EXPECT_EQ(run.cell.seed, first_suite_seed);
    }
  }
  fs::remove_all(directory);
}

TEST(ExplorationGrid, SeedsAreAsTheSuiteSays) {
  const ExplorationGrid grid = exploration_grid(false);
  const SuiteLearner& ours = suite_learners().front();
  EXPECT_EQ(grid.seeds_of(problem_named("deep_sea_50"), ours), 30);
  EXPECT_EQ(grid.seeds_of(problem_named("deep_sea_20"), ours), 20);
  for (const SuiteLearner& learner : suite_learners()) {
    EXPECT_EQ(grid.seeds_of(problem_named("deep_sea_50_rows"), learner) == 0, learner.only_action_one) << learner.name;
    EXPECT_LE(exploration_grid(false, 2).seeds_of(problem_named("rooms_11"), learner), 2);
  }
}

TEST(ExplorationGrid, BuiltInInputsAreTheShippedFiles) {
  for (const Experiment& input : experiment_inputs())
    EXPECT_EQ(input.text, bytes_of(fs::path(POLITEX_SOURCE_DIR) / "experiments" / input.name)) << input.name;
  for (const SuiteProblem& problem : suite_problems())
    EXPECT_TRUE(problem.input.empty() ||
                std::ranges::count(experiment_inputs(), std::string_view(problem.input), &Experiment::name) == 1)
        << problem.input;
}

/// Every learner has the same score on every seed but for a small spread; the loss falls like t^slope.
struct ExplorationStory {
  double ours = 0.95, others = 0.7, spread = 0.005, slope = -0.5, rows = 0.0;
  int seeds = 0;
};

ExplorationData story_data(const ExplorationStory& story) {
  ExplorationData data{.grid = exploration_grid(false, story.seeds), .results = {}};
  for (const SuiteProblem* problem : data.grid.problems)
    for (const SuiteLearner& learner : suite_learners()) {
      const int seeds = data.grid.seeds_of(*problem, learner);
      for (int i = 0; i < seeds; ++i) {
        double score = learner.role == SuiteLearner::Role::subject ? story.ours : story.others;
        if (!problem->plain.empty() && learner.role == SuiteLearner::Role::subject) score += story.rows;
        // The signs do not repeat in the same order for the two learners of a pair.
        score += story.spread * (i % 2 == 0 ? 1.0 : -1.0) *
                 (learner.role == SuiteLearner::Role::subject && problem->plain.empty() ? 1.0 : -0.5);
        ExplorationResult result{.seed = first_suite_seed + static_cast<std::uint64_t>(i),
                                 .score = score,
                                 .last_tenth = score,
                                 .explorer_share = 0.05,
                                 .loss = {}};
        for (double x = 100.0; x < 1e6; x *= 10.0) {
          const double steps = std::min(x * 3.0, static_cast<double>(data.grid.steps));
          result.loss.push_back({static_cast<std::int64_t>(steps), std::pow(steps / 300.0, story.slope)});
        }
        data.results[{problem->name, learner.name}].push_back(result);
      }
    }
  return data;
}

std::vector<Finding> findings(const ExplorationStory& story) {
  std::vector<Finding> all;
  for (const Claim& claim : exploration_claims(story_data(story))) all.push_back(judge(claim).finding);
  return all;
}

TEST(ExplorationClaims, HoldWhereEverythingIsAsClaimed) {
  EXPECT_EQ(findings({}), std::vector<Finding>(5, Finding::holds));
}

TEST(ExplorationClaims, EveryVerdictCanComeOutOtherwise) {
  using enum Finding;
  EXPECT_EQ(findings({.slope = 0.0}), (std::vector{fails, holds, holds, holds, holds}));
  EXPECT_EQ(findings({.ours = 0.65}), (std::vector{holds, fails, fails, holds, holds}));
  EXPECT_EQ(findings({.ours = 0.5}), (std::vector{holds, fails, fails, holds, fails}));
  EXPECT_EQ(findings({.rows = -0.05}), (std::vector{holds, holds, holds, fails, holds}));
}

TEST(ExplorationClaims, HaveNoPowerWithTwoSeedsOrMuchSpread) {
  const std::vector<Finding> two = findings({.spread = 0.2, .seeds = 2});
  for (const Finding finding : two) EXPECT_EQ(finding, Finding::no_power);
  EXPECT_EQ(findings({.ours = 0.7, .spread = 0.5})[1], Finding::no_power);
}

TEST(ExplorationData, LossesAreInterpolatedAsSums) {
  ExplorationResult result;
  result.loss = {{10, 1.0}, {20, 0.75}, {100, 0.5}};
  EXPECT_DOUBLE_EQ(loss_at(result, 10), 1.0);
  EXPECT_DOUBLE_EQ(loss_at(result, 5), 1.0);
  EXPECT_DOUBLE_EQ(loss_at(result, 15), 12.5 / 15.0);  // sums 10 and 15
  EXPECT_DOUBLE_EQ(loss_at(result, 60), 32.5 / 60.0);  // sums 15 and 50
  EXPECT_DOUBLE_EQ(loss_at(result, 1000), 0.5);
  EXPECT_DOUBLE_EQ(last_decade(result, 100), std::log10(0.5));
}

TEST(ExplorationData, ScoresAreBetweenRandomAndOptimum) {
  const Scale scale{.random = -0.5, .optimum = -1.5};
  const std::string summary =
      R"({"average_cost": -1.25, "average_cost_last_tenth": -1.5, "steps": 200,
          "segments": {"explorer": {"steps": 8}, "probe": {"steps": 2}}})";
  const ExplorationResult result = measured(scale, 7, summary, {{100, -0.5}, {200, -1.25}});
  EXPECT_DOUBLE_EQ(result.score, 0.75);
  EXPECT_DOUBLE_EQ(result.last_tenth, 1.0);
  EXPECT_DOUBLE_EQ(result.explorer_share, 0.05);
  EXPECT_DOUBLE_EQ(result.loss[0].average_cost, 1.0);
  EXPECT_DOUBLE_EQ(result.loss[1].average_cost, 0.25);
  EXPECT_FALSE(failed(result));
}

// In closed form: the optimum of DeepSea 10 is -1.5, and uniform actions are exact too (RiverSwim: tests/exact).
TEST(ExplorationData, TheScaleIsExact) {
  const std::vector<ExplorationRun> runs = exploration_runs(exploration_grid(true, 1), "");
  const auto run = std::ranges::find_if(runs, [](const auto& one) { return one.problem->name == "deep_sea_10"; });
  const Scale scale = scale_of(*run->problem, config_of(run->cell));
  EXPECT_DOUBLE_EQ(scale.optimum, -1.5);
  EXPECT_GT(scale.random, 0.0);
  EXPECT_DOUBLE_EQ(scale.loss(scale.random), 1.0);
}

// always-1 goes down the diagonal of DeepSea: from any state on it to the next, so it is seen nowhere else but where
// the target policy leaves the state.
TEST(ExplorerWalks, CountTheExplorersOwnSteps) {
  const Config config = read_experiment(
      "exploration/paper_always.toml",
      std::vector<std::string>{"environment.size=5", "steps=700", "schedule.follow=5", "schedule.explore=5"});
  const ExplorerWalk walk = explorer_walk(config);
  const double visits = std::accumulate(walk.visits.begin(), walk.visits.end(), 0.0);
  const double ends = std::accumulate(walk.ends.begin(), walk.ends.end(), 0.0);
  EXPECT_EQ(walk.visits.size(), 25U);
  // Rollouts of 5 + 1 + 5 steps: 63 of them, and 7 steps of the explorer and its probe in the last.
  EXPECT_EQ(visits, 63 * 5 + 5);
  EXPECT_EQ(ends, 64);
  EXPECT_GT(walk.covered, 0.0);
  EXPECT_LE(walk.covered, 1.0);
  EXPECT_LE(walk.effective, walk.covered + 1e-12);
}

TEST(ExplorationReport, ShowsEveryProblemLearnerAndClaim) {
  const ExplorationData data = story_data({.seeds = 2});
  const std::vector<ExplorationRun> runs = exploration_runs(data.grid, "");
  std::vector<NamedWalk> walks;
  for (const char* name : {"deep_sea_20", "rooms_21"}) {
    NamedWalk& walk = walks.emplace_back();
    walk.problem = &problem_named(name);
    walk.learner = &suite_learners().front();
    walk.walk.visits.assign(static_cast<std::size_t>(walk.problem->side * walk.problem->side), 3.0);
    walk.walk.ends = walk.walk.visits;
  }
  const FigureReport report = exploration_report(data, runs, walks);
  ASSERT_EQ(report.pictures.size(), 2U);
  EXPECT_EQ(report.pictures[0].plot.panels.size(), 29U);
  EXPECT_EQ(report.pictures[1].plot.panels.size(), 2U);
  const fs::path directory = fs::path(testing::TempDir()) / fmt::format("politex_exploration_{}", getpid());
  fs::create_directories(directory);
  write_report(report, directory, "politex reproduce exploration");
  const std::string page = bytes_of(directory / "report.html");
  for (const SuiteProblem& problem : suite_problems()) EXPECT_NE(page.find(problem.label), std::string::npos);
  for (const SuiteLearner& learner : suite_learners()) EXPECT_NE(page.find(learner.label), std::string::npos);
  for (const char* name : {"(a)", "(b)", "(c)", "(d)", "(e)"}) EXPECT_NE(page.find(name), std::string::npos) << name;
  EXPECT_EQ(page.substr(0, page.find("<svg")).find("nan"), std::string::npos);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(bytes_of(directory / "runs.csv"), '\n')), runs.size() + 1);
  for (const char* picture : {"exploration.png", "explorers.svg"})
    EXPECT_GT(fs::file_size(directory / picture), 1000U) << picture;
  if (std::getenv("POLITEX_KEEP") == nullptr) fs::remove_all(directory);
}

}  // namespace
}  // namespace politex
