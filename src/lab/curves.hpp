// Learning curves of many runs on one grid of steps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/comparison.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// values[metric][run][point], NaN where a run has nothing there. Besides the columns of progress.csv there is
/// `recent_cost`, the mean cost since the point before.
struct CommonCurves {
  std::vector<double> steps;
  std::vector<std::string> metrics;
  std::vector<std::vector<std::vector<double>>> values;
};

/// The number of points is chosen so that the whole stays small enough for a page, however many runs there are.
CommonCurves common_curves(std::span<const RunRecord> runs);

/// Mean and 95% interval over seeds of one metric for the learners of one task; no series when none has the metric.
Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task);

/// The styles of the chart, beside dygraphs' own.
std::string_view chart_style();

}  // namespace politex::lab
