// Comparison of runs: statistics over seeds, over tasks, and between learners.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/report/run_groups.hpp"

namespace politex::inline report {

// Intervals are infinite where the seeds are too few: one seed says nothing about the spread.

struct GroupStatistics {
  std::size_t seeds = 0;                // counted runs that have an average cost
  Interval mean;                        // average cost; 95%, Student's t: right for roughly normal seeds
  Interval median;                      // 95% by order statistics: right for any distribution, from six seeds on
  double worst = 0.0;                   // the largest
  std::optional<Interval> batch_means;  // of the trajectory, if there is exactly one such seed
  double last_tenth = 0.0, optimal_gain = 0.0, gain_from_last_state = 0.0, gain_from_start = 0.0,
         regret = 0.0;  // NaN: unknown
};
GroupStatistics statistics_of(std::span<const RunRecord> runs, const RunGroup& group);

/// Batch means over 20 equal batches of the steps, from the thinned rows; nothing with fewer than `fewest_batch_rows`.
std::optional<Interval> trajectory_interval(const RunRecord& run);
inline constexpr std::size_t fewest_batch_rows = 60;  // three per batch, so that neighbouring batches share little

/// The six terms that sum to the regret, as named in summary.json and progress.csv.
inline constexpr std::array<const char*, 6> regret_terms = {"E", "PR", "V", "W", "V_explore", "W_explore"};

/// Means of the regret terms over the seeds of a group, with 95% intervals (Student's t).
struct TermStatistics {
  std::size_t seeds = 0;
  std::array<Interval, regret_terms.size()> terms;
  std::array<Interval, regret_terms.size()> drawn;  // what a picture may show
  Interval regret;
  bool approximate = false;  // some policies were not evaluated, so PR and V contain parts of each other
};
/// Returns nothing if no summary has the terms.
std::optional<TermStatistics> terms_of(std::span<const RunRecord> runs, const RunGroup& group);

/// One learner over several tasks with equal weight: the mean with its 95% interval (Student's t with the degrees of
/// freedom of the task with the fewest seeds), and its worst run.
struct Aggregate {
  std::string learner;
  Interval mean;
  double worst = 0.0;
};

/// Only tasks that every learner has tried count; otherwise a learner would profit from missing the hard ones. Empty if
/// there are fewer than two such tasks.
struct Aggregates {
  std::vector<Aggregate> learners;
  std::vector<std::string> tasks, left_out;
  bool above_optimum = false;  // cost above the optimum; false: average cost, because some optimum is unknown
};
Aggregates aggregates(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// The probability that the first learner has the lower average cost, averaged over the tasks that both tried, with
/// Newcombe's 95% interval.
struct Improvement {
  std::string better, than;
  std::size_t tasks = 0;
  Interval probability;
};
std::vector<Improvement> improvements(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// All of the above, computed once for the page, the tables and the figures.
struct Comparison {
  std::vector<GroupStatistics> groups;               // of each group
  std::vector<std::optional<TermStatistics>> terms;  // of each group
  std::size_t learners = 0;                          // in judging_groups()
  Aggregates over_tasks;
  std::vector<Improvement> pairs;  // empty if there are more than most_learners_compared
};
inline constexpr std::size_t most_learners_compared = 12;
Comparison compare(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::inline report
