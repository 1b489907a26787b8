// Learning curves of many runs on one grid of steps, and their means over seeds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/comparison.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// values[metric][run][point], NaN where a run has nothing there.
struct CommonCurves {
  std::vector<double> steps;
  std::vector<std::string> metrics;
  std::vector<std::vector<std::vector<double>>> values;
  std::vector<bool> failed = {};  // by run; empty: none has
};

inline constexpr std::size_t most_points = 300;

/// What can be shown of the runs, what people ask for first at the front. Besides the columns of progress.csv there are
/// `recent_cost`, the mean cost since the point before, and, of runs whose optimum is known, `regret_to_gain`: the sum
/// of costs less as many times the optimal gain.
std::vector<std::string> metrics_of(std::span<const RunRecord> runs);

CommonCurves common_curves(std::span<const RunRecord> runs, std::span<const std::string> metrics,
                           std::size_t points = most_points);

/// The runs whose curves make the mean of a group: those that have any, and of these not the failed ones unless all
/// are.
std::vector<std::size_t> curve_runs(const CommonCurves& curves, std::size_t metric, const RunGroup& group);

/// NaN where not all of curve_runs() have a value: a mean over fewer would be another curve. `half` is half the width
/// of the 95% interval; empty with one run.
struct MeanCurve {
  std::vector<double> mean, half;
};
MeanCurve mean_curve(const CommonCurves& curves, std::size_t metric, const RunGroup& group);

/// The group's label, and how many of its seeds are in the mean where not all are.
std::string curve_label(const std::string& label, std::size_t seeds, std::size_t all);

/// Mean and 95% interval over seeds of one metric for the learners of one task; no series when none has the metric.
Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task);

/// The terms of one group's regret as they grow; no series where progress.csv does not have them.
Plot terms_plot(const CommonCurves& curves, const RunGroup& group);

/// A JSON string; "<" is written so that nothing in it can end or begin an element of a page.
std::string json_text(const std::string& words);
/// A number of so many digits, null where it is not finite.
std::string json_number(double value, int digits = 6);

/// The curves as the chart's script reads them: all metrics, and points for about `most_cells` numbers.
std::string curves_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups, std::size_t most_cells);

/// The same in at most `most_bytes`: of many runs there are fewer digits and points, then fewer metrics, which it
/// names.
std::string curves_json_within(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                               std::size_t most_bytes);

/// The styles of the chart, beside dygraphs' own.
std::string_view chart_style();

}  // namespace politex::lab
