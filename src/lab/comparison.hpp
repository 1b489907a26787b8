// Runs side by side: statistics over their seeds, over tasks, and between learners.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/run_groups.hpp"

namespace politex::lab {

// Bounds of an interval are NaN wherever some seed stands alone: one seed tells nothing about the spread of seeds.

struct GroupStatistics {
  std::size_t seeds = 0;                // counted ones that have an average cost
  Interval mean, iqm;                   // average cost; 95% bootstrap over seeds
  std::optional<Interval> batch_means;  // of the one long trajectory, where there is one such seed
  double last_tenth = 0.0, optimal_gain = 0.0, gain_from_last_state = 0.0, gain_from_start = 0.0,
         regret = 0.0;  // NaN: not known
};
GroupStatistics statistics_of(std::span<const RunRecord> runs, const RunGroup& group);

/// Batch means over 20 equal parts of the steps, from the thinned rows; nothing with fewer than `fewest_batch_rows`.
std::optional<Interval> trajectory_interval(const RunRecord& run);
inline constexpr std::size_t fewest_batch_rows =
    60;  // three to a part, so that parts share little with their neighbours

/// The six parts that sum to the regret, as summary.json and progress.csv name them.
inline constexpr std::array<const char*, 6> regret_terms = {"E", "PR", "V", "W", "V_explore", "W_explore"};

/// Their means over the seeds of a group, with 95% bootstrap intervals; nothing where no summary has them.
struct TermStatistics {
  std::size_t seeds = 0;
  std::array<Interval, regret_terms.size()> terms;
  Interval regret;
  bool approximate = false;  // some phase's policy was not evaluated: PR and V hold some of each other's
};
std::optional<TermStatistics> terms_of(std::span<const RunRecord> runs, const RunGroup& group);

/// One learner over several tasks, every task weighing the same; seeds are resampled within tasks.
struct Aggregate {
  std::string learner;
  Interval mean, iqm;
};

/// Only tasks that every learner has tried count: a mean over others would tell who was spared the hard ones. No
/// learners where there are fewer than two such tasks.
struct Aggregates {
  std::vector<Aggregate> learners;
  std::vector<std::string> tasks, left_out;
  bool above_optimum = false;  // cost above the optimum; the average cost where an optimum is not known everywhere
};
Aggregates aggregates(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// How probably the first learner has the lower average cost on a task that both solved, mean over those tasks, with a
/// stratified bootstrap.
struct Improvement {
  std::string better, than;
  std::size_t tasks = 0;
  Interval probability;
};
std::vector<Improvement> improvements(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// All of the above, made once for the page, the tables and the figures.
struct Comparison {
  std::vector<GroupStatistics> groups;               // of each group
  std::vector<std::optional<TermStatistics>> terms;  // of each group
  std::size_t learners = 0;                          // that may be judged: see judging_groups()
  Aggregates over_tasks;
  std::vector<Improvement> pairs;  // none where there are more than most_learners_compared
};
inline constexpr std::size_t most_learners_compared = 12;
Comparison compare(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::lab
