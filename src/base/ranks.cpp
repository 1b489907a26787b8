#include "politex/base/ranks.hpp"

#include <algorithm>

namespace politex::inline base {

std::vector<double> ranks_of(std::span<const double> scores) {
  std::vector<double> ranks;
  for (const double score : scores) {
    const auto above = std::ranges::count_if(scores, [&](double other) { return other > score; });
    const auto equal = std::ranges::count(scores, score);
    ranks.push_back(static_cast<double>(above) + 0.5 * static_cast<double>(equal + 1));
  }
  return ranks;
}

std::vector<Interval> rank_intervals(std::span<const TaskScores> tasks, double level) {
  if (tasks.empty() || tasks.front().empty()) return {};
  const std::size_t entries = tasks.front().size(), seeds = tasks.front().front().size();
  std::vector<std::vector<double>> by_entry(entries);
  for (std::vector<double>& ranks : by_entry) ranks.assign(seeds, 0.0);
  std::vector<double> scores(entries);
  for (const TaskScores& task : tasks)
    for (std::size_t k = 0; k < seeds; ++k) {
      for (std::size_t i = 0; i < entries; ++i) scores[i] = task[i][k];
      const std::vector<double> ranks = ranks_of(scores);
      for (std::size_t i = 0; i < entries; ++i) by_entry[i][k] += ranks[i] / static_cast<double>(tasks.size());
    }
  std::vector<Interval> intervals;
  for (const std::vector<double>& ranks : by_entry) {
    const Interval one = t_interval(ranks, level);
    intervals.push_back({one.mean, std::max(one.low, 1.0), std::min(one.high, static_cast<double>(entries))});
  }
  return intervals;
}

}  // namespace politex::inline base
