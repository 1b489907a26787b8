// Groups of runs that differ only in the seed, with each trajectory counted once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/record/run_record.hpp"

namespace politex::inline report {

/// Whether the key belongs to the task, not to the learner: runs that differ in it are not compared.
bool names_task(const std::string& key);

/// Runs that differ only in their seed.
struct RunGroup {
  std::string task;     // "size=20"; empty if all runs have the same task
  std::string learner;  // "algorithm=politex, estimator=lspe"
  std::vector<std::size_t> runs = {};
  std::vector<std::size_t> copies = {};  // runs with the same trajectory as one of `runs`, not counted as seeds

  std::string label() const { return task.empty() ? learner : task + ": " + learner; }
};

/// Labels contain only settings that distinguish the groups. Sorted by tasks (numbers by value), then learners. Of runs
/// with the same seed and signature, the one with the most columns is used.
std::vector<RunGroup> group_runs(std::span<const RunRecord> runs);

/// The runs of a group that count in its statistics: the finished ones, or all if none is finished yet.
std::vector<std::size_t> counted_runs(std::span<const RunRecord> runs, const RunGroup& group);

/// The values of a number in the summaries of the counted runs that have it.
std::vector<double> values_of(std::span<const RunRecord> runs, const RunGroup& group, const std::string& key);

/// The groups used to compare learners. If a tuning has run its choices on fresh seeds, the runs on tuning seeds are
/// left out, and the labels are made from the remaining groups.
std::vector<RunGroup> judging_groups(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::inline report
