// Learning curves of many runs on one grid of steps.
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

/// values[metric][run][point], NaN where a run has nothing there. Besides the columns of progress.csv there is
/// `recent_cost`, the mean cost since the point before.
struct CommonCurves {
  std::vector<double> steps;
  std::vector<std::string> metrics;
  std::vector<std::vector<std::vector<double>>> values;
};

/// Numbers in a page's curves: about 2.5 MB of text.
constexpr std::size_t most_cells_of_a_page = 350'000;

/// The number of points is chosen so that there are about `most_cells` numbers, however many runs there are.
CommonCurves common_curves(std::span<const RunRecord> runs, std::size_t most_cells = most_cells_of_a_page);

/// A JSON string; "<" is written so that nothing in it can end or begin an element of a page.
std::string json_text(const std::string& words);
/// A number of six digits, null where it is not finite.
std::string json_number(double value);

/// The curves as the page's script reads them.
std::string curves_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                        std::size_t most_cells = most_cells_of_a_page);

/// Mean and 95% interval over seeds of one metric for the learners of one task; no series when none has the metric.
Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task);

/// The styles of the chart, beside dygraphs' own.
std::string_view chart_style();

}  // namespace politex::lab
