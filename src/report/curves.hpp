// Learning curves of many runs on a common grid of steps, and their means over seeds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/page/plot.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// values[metric][run][point] is NaN if the run has no value there.
struct CommonCurves {
  std::vector<double> steps;
  std::vector<std::string> metrics;
  std::vector<std::vector<std::vector<double>>> values;
  std::vector<bool> failed = {};  // by run; empty: none failed
};

inline constexpr std::size_t most_points = 300;

/// The metrics of the runs, the most important first: the columns of progress.csv, `recent_cost` (the mean cost since
/// the previous point), and if the optimum is known `regret_to_gain` (the sum over steps of cost minus optimal gain).
std::vector<std::string> metrics_of(std::span<const RunRecord> runs);

CommonCurves common_curves(std::span<const RunRecord> runs, std::span<const std::string> metrics,
                           std::size_t points = most_points);

/// The runs in the mean curve of a group: those with a curve, without failed ones unless all failed.
std::vector<std::size_t> curve_runs(const CommonCurves& curves, std::size_t metric, const RunGroup& group);

/// NaN if not all of curve_runs() have a value, because a mean over fewer runs would not be comparable. `low` and
/// `high` are those of drawn_interval(); empty for one run.
struct MeanCurve {
  std::vector<double> mean, low, high;
};
MeanCurve mean_curve(const CommonCurves& curves, std::size_t metric, const RunGroup& group);

/// The label of a group, with the number of seeds in the mean if not all are.
std::string curve_label(const std::string& label, std::size_t seeds, std::size_t all);

/// The mean over seeds of one metric for the learners of one task, with its 95% interval, or with every seed where
/// there are fewer than `fewest_for_bands`; no series if none has the metric. `first_look` is the place of the first
/// group's look, so that a group is drawn as on a page that has more groups.
Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task, std::size_t first_look = 0);

/// The regret terms of one group over time; no series if progress.csv does not have them.
Plot terms_plot(const CommonCurves& curves, const RunGroup& group);

/// A JSON string with "<" escaped, so that it cannot start or end an HTML element.
std::string json_text(const std::string& words);
/// A number with `digits` significant digits; null if it is not finite.
std::string json_number(double value, int digits = 6);

/// The input of the chart script: all metrics, with as many points as give about `most_cells` numbers.
std::string curves_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups, std::size_t most_cells);

/// The same in at most `most_bytes`: with fewer digits and points for many runs, then fewer metrics. Omitted metrics
/// are named in it.
std::string curves_json_within(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                               std::size_t most_bytes);

/// The styles of the chart in addition to those of dygraphs.
std::string_view chart_style();

}  // namespace politex::inline report
