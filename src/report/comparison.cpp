#include "politex/report/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "politex/base/unknown.hpp"

namespace politex::inline report {

namespace {

using Strata = std::vector<std::vector<double>>;

double mean_or_unknown(const std::vector<double>& values) { return values.empty() ? unknown : mean(values); }

double largest(const std::vector<double>& values) {
  return values.empty() ? unknown : *std::ranges::max_element(values);
}

/// No policy's mean cost is below the optimum, so an interval ends there, or at a run that was luckier.
Interval not_below(Interval interval, double optimum, const std::vector<double>& values) {
  if (std::isfinite(interval.low) && std::isfinite(optimum))
    interval.low = std::max(interval.low, std::min(optimum, *std::ranges::min_element(values)));
  return interval;
}

/// The sum of costs up to a step, interpolated linearly between rows. A row holds the mean of all steps up to it, so
/// the sum is exact at every row, even after thinning.
class CostSum {
 public:
  CostSum(const RunRecord& run, std::size_t steps, std::size_t cost) : run_(run), steps_(steps), cost_(cost) {}

  /// Steps must not decrease from call to call.
  double up_to(double step) {
    while (row_ < run_.rows.size() && run_.rows[row_][steps_] < step) ++row_;
    if (row_ == run_.rows.size()) return sum(row_);
    const double before = row_ == 0 ? 0.0 : run_.rows[row_ - 1][steps_];
    const double share = (step - before) / (run_.rows[row_][steps_] - before);
    return sum(row_) + share * (sum(row_ + 1) - sum(row_));
  }

 private:
  double sum(std::size_t rows) const {
    return rows == 0 ? 0.0 : run_.rows[rows - 1][steps_] * run_.rows[rows - 1][cost_];
  }

  const RunRecord& run_;
  std::size_t steps_, cost_;
  std::size_t row_ = 0;  // the first at or after the step
};

}  // namespace

std::optional<Interval> trajectory_interval(const RunRecord& run) {
  constexpr int batches = 20;
  const auto steps_at = std::ranges::find(run.columns, "steps");
  const auto cost_at = std::ranges::find(run.columns, "average_cost");
  if (run.rows.size() < fewest_batch_rows || steps_at == run.columns.end() || cost_at == run.columns.end())
    return std::nullopt;
  const auto steps_column = static_cast<std::size_t>(steps_at - run.columns.begin());
  const auto cost_column = static_cast<std::size_t>(cost_at - run.columns.begin());
  const double length = run.rows.back()[steps_column] / batches;
  CostSum costs(run, steps_column, cost_column);
  std::vector<double> means;
  double before = 0.0;
  for (int i = 1; i <= batches; ++i) {
    const double sum = costs.up_to(length * i);
    means.push_back((sum - before) / length);
    before = sum;
  }
  const double half = t_interval(means).half_width();
  const double centre = run.rows.back()[cost_column];
  if (!std::isfinite(half)) return std::nullopt;
  return Interval{centre, centre - half, centre + half};
}

GroupStatistics statistics_of(std::span<const RunRecord> runs, const RunGroup& group) {
  const auto known = [&](const char* key) { return mean_or_unknown(values_of(runs, group, key)); };
  const std::vector<double> costs = values_of(runs, group, "average_cost");
  GroupStatistics statistics;
  statistics.seeds = costs.size();
  statistics.mean = t_interval(costs);
  statistics.median = median_interval(costs);
  statistics.worst = largest(costs);
  if (costs.size() == 1)
    for (const std::size_t run : counted_runs(runs, group))
      if (const auto cost = runs[run].number("average_cost"); cost && std::isfinite(*cost))
        statistics.batch_means = trajectory_interval(runs[run]);
  statistics.last_tenth = known("average_cost_last_tenth");
  statistics.optimal_gain = known("optimal_gain");
  statistics.gain_from_last_state = known("final_policy.gain_from_last_state");
  statistics.gain_from_start = known("final_policy.gain_from_start");
  statistics.regret = known("regret");
  statistics.mean = not_below(statistics.mean, statistics.optimal_gain, costs);
  return statistics;
}

std::optional<TermStatistics> terms_of(std::span<const RunRecord> runs, const RunGroup& group) {
  TermStatistics statistics;
  for (std::size_t i = 0; i < regret_terms.size(); ++i) {
    const std::vector<double> values = values_of(runs, group, std::string("regret_terms.") + regret_terms[i]);
    if (values.empty()) return std::nullopt;
    statistics.seeds = values.size();
    statistics.terms[i] = t_interval(values);
    statistics.drawn[i] = drawn_interval(values);
  }
  statistics.regret = t_interval(values_of(runs, group, "regret"));
  statistics.approximate = std::ranges::any_of(counted_runs(runs, group), [&](std::size_t run) {
    const auto evaluated = runs[run].number("evaluated_phases");
    const auto phases = runs[run].number("phases");
    return evaluated && phases && *evaluated < *phases;
  });
  return statistics;
}

namespace {

std::vector<std::string> learners_of(std::span<const RunGroup> groups) {
  std::vector<std::string> learners;
  for (const RunGroup& group : groups) {
    if (std::ranges::find(learners, group.learner) == learners.end()) learners.push_back(group.learner);
  }
  return learners;
}

/// The group of one learner on one task; null if it has no average cost.
const RunGroup* group_of(std::span<const RunRecord> runs, std::span<const RunGroup> groups, const std::string& task,
                         const std::string& learner) {
  for (const RunGroup& group : groups) {
    if (group.task == task && group.learner == learner)
      return values_of(runs, group, "average_cost").empty() ? nullptr : &group;
  }
  return nullptr;
}

std::vector<std::string> tasks_of(std::span<const RunGroup> groups) {
  std::vector<std::string> tasks;
  for (const RunGroup& group : groups) {
    if (tasks.empty() || tasks.back() != group.task) tasks.push_back(group.task);
  }
  return tasks;
}

}  // namespace

Aggregates aggregates(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  Aggregates result;
  std::vector<RunGroup> tried;
  std::ranges::copy_if(groups, std::back_inserter(tried),
                       [&](const RunGroup& group) { return !values_of(runs, group, "average_cost").empty(); });
  const std::vector<std::string> learners = learners_of(tried);
  std::vector<RunGroup> shared;
  for (const std::string& task : tasks_of(tried)) {
    const auto of_task = [&](const RunGroup& group) { return group.task == task; };
    const bool by_all = static_cast<std::size_t>(std::ranges::count_if(tried, of_task)) == learners.size();
    (by_all ? result.tasks : result.left_out).push_back(task);
    if (by_all) std::ranges::copy_if(tried, std::back_inserter(shared), of_task);
  }
  if (result.tasks.size() < 2) return result;
  result.above_optimum = std::ranges::all_of(shared, [&](const RunGroup& group) {
    return values_of(runs, group, "optimal_gain").size() == values_of(runs, group, "average_cost").size();
  });
  for (const std::string& learner : learners) {
    Strata strata;
    for (const RunGroup& group : shared) {
      if (group.learner != learner) continue;
      strata.push_back(values_of(runs, group, "average_cost"));
      if (!result.above_optimum) continue;
      const double optimum = mean(values_of(runs, group, "optimal_gain"));
      for (double& value : strata.back()) value -= optimum;
    }
    std::vector<double> costs;
    for (const auto& stratum : strata) costs.insert(costs.end(), stratum.begin(), stratum.end());
    result.learners.push_back(
        {.learner = learner,
         .mean = not_below(t_interval_of_strata(strata), result.above_optimum ? 0.0 : unknown, costs),
         .worst = largest(costs)});
  }
  return result;
}

std::vector<Improvement> improvements(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  const std::vector<std::string> learners = learners_of(groups);
  std::vector<Improvement> result;
  for (std::size_t i = 0; i < learners.size(); ++i) {
    for (std::size_t j = i + 1; j < learners.size(); ++j) {
      Strata pairs;  // for each task the costs of the first learner, then those of the second
      for (const std::string& task : tasks_of(groups)) {
        const RunGroup* first = group_of(runs, groups, task, learners[i]);
        const RunGroup* second = group_of(runs, groups, task, learners[j]);
        if (first == nullptr || second == nullptr) continue;
        pairs.push_back(values_of(runs, *first, "average_cost"));
        pairs.push_back(values_of(runs, *second, "average_cost"));
      }
      if (pairs.empty()) continue;
      result.push_back({.better = learners[i],
                        .than = learners[j],
                        .tasks = pairs.size() / 2,
                        .probability = improvement_interval(pairs)});
    }
  }
  return result;
}

Comparison compare(std::span<const RunRecord> runs, std::span<const RunGroup> groups) {
  Comparison comparison;
  for (const RunGroup& group : groups) {
    comparison.groups.push_back(statistics_of(runs, group));
    comparison.terms.push_back(terms_of(runs, group));
  }
  const std::vector<RunGroup> judging = judging_groups(runs, groups);
  comparison.learners = learners_of(judging).size();
  comparison.over_tasks = aggregates(runs, judging);
  if (comparison.learners <= most_learners_compared) comparison.pairs = improvements(runs, judging);
  return comparison;
}

}  // namespace politex::inline report
