// Which runs belong together: the same but for the seed, and each trajectory once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// The key says what is to be solved, not who tries: runs that differ in it are not compared.
bool names_task(const std::string& key);

/// Runs that differ in nothing but their seed.
struct RunGroup {
  std::string task;     // what was to be solved: "size=20"; empty when all runs solve the same
  std::string learner;  // who tried: "algorithm=politex, estimator=lspe"
  std::vector<std::size_t> runs = {};
  std::vector<std::size_t> copies = {};  // the same trajectory as one of `runs`, bit by bit: no seeds of their own

  std::string label() const { return task.empty() ? learner : task + ": " + learner; }
};

/// Labels name as few settings as tell the groups apart. Tasks in the order of their numbers, then learners. Of runs
/// with the same seed and signature the one with the most columns stands for all.
std::vector<RunGroup> group_runs(std::span<const RunRecord> runs);

/// The runs of a group that its numbers are made of: the finished ones, or all where none is finished yet.
std::vector<std::size_t> counted_runs(std::span<const RunRecord> runs, const RunGroup& group);

/// A number of the summary for each counted run that has it.
std::vector<double> values_of(std::span<const RunRecord> runs, const RunGroup& group, const std::string& key);

/// The groups that learners may be judged by. Where a tuning has tried its choices on fresh seeds, what served to
/// choose is left out, and the others are named by what tells them apart.
std::vector<RunGroup> judging_groups(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::lab
