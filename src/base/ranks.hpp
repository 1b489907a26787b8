// Ranks of entries that are compared on several tasks and seeds.
#pragma once

#include <span>
#include <vector>

#include "politex/base/statistics.hpp"

namespace politex::inline base {

/// The scores of one task: one list per entry, one value per seed; all lists of all tasks have the same length.
using TaskScores = std::vector<std::vector<double>>;

/// Rank by score, 1 the highest; equal scores share the mean of their places.
std::vector<double> ranks_of(std::span<const double> scores);

/// For every entry the mean of its rank over tasks and seeds. The k-th scores of all tasks give one mean rank per
/// entry; the interval is Student's t on these, one per seed, cut off at 1 and the number of entries. A bootstrap over
/// the seeds covers too seldom: see interval_coverage_test.cpp.
std::vector<Interval> rank_intervals(std::span<const TaskScores> tasks, double level = 0.95);

}  // namespace politex::inline base
