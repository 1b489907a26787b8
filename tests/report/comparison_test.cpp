// Which runs count as seeds, and their statistics.
#include "politex/report/comparison.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace politex {
namespace {

RunRecord finished_run(const std::string& size, const std::string& algorithm, int seed, double cost) {
  RunRecord run;
  run.settings = {{"seed", std::to_string(seed)}, {"environment.size", size}, {"algorithm.name", algorithm}};
  run.finished = true;
  run.numbers = {{"average_cost", cost}};
  run.words = {{"signature", "signature of " + std::to_string(cost)}};
  return run;
}

void set(RunRecord& run, const std::string& key, const std::string& value) { run.settings.emplace_back(key, value); }

// Runs that differ only in what they record, and copied directories, are not additional seeds.
TEST(Comparison, OneTrajectoryIsOneSeed) {
  std::vector<RunRecord> runs;
  for (const char* every : {"0", "5"}) {
    for (int seed = 1; seed <= 3; ++seed) {
      runs.push_back(finished_run("5", "politex", seed, seed));
      set(runs.back(), "exact.every", every);
      runs.back().columns = {"phase", "steps", "average_cost"};
      if (every[0] == '5') runs.back().columns.emplace_back("regret");
    }
  }
  runs.push_back(finished_run("5", "politex", 3, 9.0));  // another build: the same seed, another trajectory
  runs.push_back(finished_run("5", "politex", 4, 3.0));  // another seed
  runs.push_back(finished_run("5", "politex", 1, 1.0));
  runs.back().words.clear();  // without a signature it cannot be recognised as a copy
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].runs, (std::vector<std::size_t>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(groups[0].copies, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(statistics_of(runs, groups[0]).seeds, 6U);
}

TEST(Comparison, KeysWithoutEffectOnResultsDoNotSeparateGroups) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 2; ++seed) {
    runs.push_back(finished_run("5", "neural_politex", seed, seed));
    for (const char* key : {"actors.threads", "actors.processes", "environment.python", "environment.time_limit"})
      set(runs.back(), key, std::to_string(seed));
  }
  EXPECT_EQ(group_runs(runs).size(), 1U);
  set(runs.back(), "actors.environments", "7");
  EXPECT_EQ(group_runs(runs).size(), 2U);
}

TEST(Comparison, OnlyFinishedRunsCountIfThereAreAny) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 3; ++seed) runs.push_back(finished_run("5", "politex", seed, seed));
  for (const int seed : {4, 5}) {
    runs.push_back(finished_run("5", "politex", seed, 100.0));
    runs.back().finished = false;
  }
  runs.back().failure = "killed";
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].runs.size(), 5U);
  EXPECT_EQ(statistics_of(runs, groups[0]).seeds, 3U);
  EXPECT_EQ(statistics_of(runs, groups[0]).mean.mean, 2.0);
  for (RunRecord& run : runs) run.finished = false;
  EXPECT_EQ(statistics_of(runs, groups[0]).seeds, 5U);
}

// Otherwise every setting tried would be a learner, and the fair comparison would be one among hundreds.
TEST(Comparison, ATuningIsComparedOnItsFreshSeeds) {
  std::vector<RunRecord> runs;
  for (const char* algorithm : {"politex", "lspi"}) {
    for (int setting = 1; setting <= 8; ++setting) {
      for (int seed = 1; seed <= 5; ++seed) {
        const bool fresh = seed > 3;
        if (fresh && setting != 3) continue;
        runs.push_back(finished_run("5", algorithm, seed, setting + 0.1 * seed + (algorithm[0] == 'l' ? 10.0 : 0.0)));
        set(runs.back(), "algorithm.eta", std::to_string(setting));
        set(runs.back(), "stage", fresh ? "fresh" : "tuning");
      }
    }
  }
  const auto groups = group_runs(runs);
  EXPECT_EQ(groups.size(), 18U);
  const Comparison comparison = compare(runs, groups);
  EXPECT_EQ(comparison.learners, 2U);
  ASSERT_EQ(comparison.pairs.size(), 1U);
  EXPECT_EQ(comparison.pairs[0].better, "algorithm=lspi");
  EXPECT_EQ(comparison.pairs[0].than, "algorithm=politex");
  EXPECT_EQ(comparison.pairs[0].probability.mean, 0.0);
  EXPECT_EQ(comparison.pairs[0].probability.low, 0.0);
  EXPECT_GT(comparison.pairs[0].probability.high, 0.1);  // a few seeds prove nothing
  std::erase_if(runs, [](const RunRecord& run) { return run.setting("stage") == "fresh"; });
  EXPECT_EQ(compare(runs, group_runs(runs)).learners, 16U);  // no fresh seeds yet
}

TEST(Comparison, CommonTasksHaveEqualWeight) {
  std::vector<RunRecord> runs;
  for (const char* algorithm : {"lspi", "politex"}) {
    for (int seed = 1; seed <= 2; ++seed) runs.push_back(finished_run("5", algorithm, seed, seed));
    for (int seed = 1; seed <= 6; ++seed) runs.push_back(finished_run("10", algorithm, seed, 10.0 * seed));
  }
  for (int seed = 1; seed <= 2; ++seed) runs.push_back(finished_run("20", "politex", seed, 1000.0));
  const auto groups = group_runs(runs);
  const Aggregates all = aggregates(runs, groups);
  EXPECT_EQ(all.tasks, (std::vector<std::string>{"size=5", "size=10"}));
  EXPECT_EQ(all.left_out, std::vector<std::string>{"size=20"});
  EXPECT_FALSE(all.above_optimum);
  ASSERT_EQ(all.learners.size(), 2U);
  for (const Aggregate& one : all.learners) {
    EXPECT_NEAR(one.mean.mean, 0.5 * (1.5 + 35.0), 1e-12);
    EXPECT_LT(one.mean.low, one.mean.mean);
    EXPECT_GT(one.mean.high, one.mean.mean);
    // Student's t with one degree of freedom, as the task with two seeds has: 12.7 standard errors.
    EXPECT_NEAR(one.mean.half_width(), 12.706204736 * 0.5 * std::sqrt(0.5 / 2.0 + 350.0 / 6.0), 1e-6);
    EXPECT_EQ(one.worst, 60.0);
  }
  // With only one common task there is no mean over tasks.
  const std::vector<RunRecord> fewer(runs.begin() + 2, runs.end());
  EXPECT_TRUE(aggregates(fewer, group_runs(fewer)).learners.empty());
}

TEST(Comparison, ASingleSeedHasNoInterval) {
  std::vector<RunRecord> runs;
  for (const char* size : {"5", "10"})
    for (const char* algorithm : {"lspi", "politex"})
      for (int seed = 1; seed <= 2; ++seed) runs.push_back(finished_run(size, algorithm, seed, seed));
  const Comparison several = compare(runs, group_runs(runs));
  EXPECT_TRUE(std::isfinite(several.over_tasks.learners[0].mean.low));
  EXPECT_TRUE(std::isfinite(several.pairs[0].probability.low));
  runs.pop_back();  // politex has one seed on one of the tasks now
  const Comparison one = compare(runs, group_runs(runs));
  EXPECT_TRUE(std::isfinite(one.over_tasks.learners[0].mean.low));
  EXPECT_FALSE(std::isfinite(one.over_tasks.learners[1].mean.low));
  EXPECT_EQ(one.over_tasks.learners[1].mean.mean, 1.25);
  EXPECT_LT(one.pairs[0].probability.low, 0.2);
  EXPECT_FALSE(std::isfinite(one.groups.back().mean.low));
}

TEST(Comparison, TermsAreMeansOverSeeds) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 2; ++seed) {
    runs.push_back(finished_run("5", "politex", seed, seed));
    runs.back().numbers["regret"] = 21.0 * seed;
    for (std::size_t i = 0; i < regret_terms.size(); ++i)
      runs.back().numbers[std::string("regret_terms.") + regret_terms[i]] = static_cast<double>((i + 1) * seed);
  }
  const auto terms = terms_of(runs, group_runs(runs).at(0));
  ASSERT_TRUE(terms);
  EXPECT_EQ(terms->seeds, 2U);
  for (std::size_t i = 0; i < regret_terms.size(); ++i) {
    const double first = static_cast<double>(i + 1);
    EXPECT_EQ(terms->terms[i], t_interval(std::vector{first, 2.0 * first}));
    EXPECT_EQ(terms->drawn[i], (Interval{1.5 * first, first, 2.0 * first}));
  }
  EXPECT_EQ(terms->regret.mean, 31.5);
  EXPECT_FALSE(terms->approximate);
  runs[1].numbers["phases"] = 10.0;
  runs[1].numbers["evaluated_phases"] = 2.0;
  EXPECT_TRUE(terms_of(runs, group_runs(runs).at(0))->approximate);
  runs[0].numbers.erase("regret_terms.W");
  runs[1].numbers.erase("regret_terms.W");
  EXPECT_FALSE(terms_of(runs, group_runs(runs).at(0)));
}

RunRecord trajectory(const std::vector<double>& lengths, const std::vector<double>& costs) {
  RunRecord run;
  run.columns = {"phase", "steps", "average_cost"};
  double steps = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    steps += lengths[i];
    sum += lengths[i] * costs[i];
    run.rows.push_back({static_cast<double>(i + 1), steps, sum / steps});
  }
  return run;
}

TEST(Comparison, BatchMeansOfOneTrajectory) {
  std::vector<double> costs;
  std::vector<double> batches;
  for (int i = 0; i < 80; ++i) costs.push_back((i / 3) % 2 == 0 ? 1.0 : -1.0);
  for (std::size_t i = 0; i < 80; i += 4) batches.push_back(mean(std::span(costs).subspan(i, 4)));
  const auto interval = trajectory_interval(trajectory(std::vector(80, 10.0), costs));
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->half_width(), t_interval(batches).half_width(), 1e-9);
  EXPECT_NEAR(interval->mean, mean(costs), 1e-12);
  costs.resize(59);
  EXPECT_FALSE(trajectory_interval(trajectory(std::vector(59, 10.0), costs)));
}

// Batches are equally long even if they end between rows: a linearly growing cost gives evenly spaced means.
TEST(Comparison, BatchesAreEquallyLongForAnyRows) {
  std::vector<double> lengths;
  std::vector<double> costs;
  double steps = 0.0;
  for (int i = 0; i < 70; ++i) {
    lengths.push_back(1.0 + (i * i) % 13);
    costs.push_back(steps + 0.5 * lengths.back());  // the mean over the phase of a cost that equals the step
    steps += lengths.back();
  }
  const auto interval = trajectory_interval(trajectory(lengths, costs));
  ASSERT_TRUE(interval);
  std::vector<double> even;
  for (int i = 0; i < 20; ++i) even.push_back(steps * (i + 0.5) / 20.0);
  EXPECT_NEAR(interval->half_width() / t_interval(even).half_width(), 1.0, 0.005);
}

}  // namespace
}  // namespace politex
