// Runs side by side: which belong together (the same but for the seed), and statistics over their seeds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// The key says what is to be solved, not who tries: runs that differ in it are not compared.
bool names_task(const std::string& key);

/// Runs that differ in nothing but their seed.
struct RunGroup {
  std::string task;     // what was to be solved: "size=20"; empty when all runs solve the same
  std::string learner;  // who tried: "algorithm=politex, estimator=lspe"
  std::vector<std::size_t> runs;

  std::string label() const { return task.empty() ? learner : task + ": " + learner; }
};

/// Labels name as few settings as tell the groups apart. Tasks in the order of their numbers, then learners.
std::vector<RunGroup> group_runs(std::span<const RunRecord> runs);

/// A number of the summary for each run of the group that has it.
std::vector<double> values_of(std::span<const RunRecord> runs, const RunGroup& group, const std::string& key);

struct GroupStatistics {
  std::size_t seeds = 0;                // that have an average cost: a run that has just begun has none
  Interval mean, iqm;                   // average cost; 95% bootstrap over seeds
  std::optional<Interval> batch_means;  // of the one long trajectory, where there is one such seed
  double last_tenth = 0.0, optimal_gain = 0.0, gain_from_last_state = 0.0, gain_from_start = 0.0,
         regret = 0.0;  // NaN: not known
};
GroupStatistics statistics_of(std::span<const RunRecord> runs, const RunGroup& group);

/// Batch means over 20 equal parts of the steps, from the thinned rows; nothing with fewer than 20 rows.
std::optional<Interval> trajectory_interval(const RunRecord& run);

/// One learner over several tasks: cost above the optimum (the average cost where an optimum is not known everywhere),
/// every task weighing the same; seeds are resampled within tasks.
struct Aggregate {
  std::string learner;
  Interval mean, iqm;
  bool above_optimum = false;
  std::size_t tasks = 0;
};
std::vector<Aggregate> aggregates(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// How probably the first learner has the lower average cost on a task that both solved, mean over those tasks, with a
/// stratified bootstrap.
struct Improvement {
  std::string better, than;
  Interval probability;
};
std::vector<Improvement> improvements(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::lab
