#include "politex/report/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "politex/base/unknown.hpp"

namespace politex::inline report {

namespace {

std::size_t column_of(const RunRecord& run, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(run.columns, name) - run.columns.begin());
}

/// Two thirds of the points evenly spaced, one third with equal ratios for the start of a logarithmic axis.
std::vector<double> grid_of(double first, double last, std::size_t points) {
  std::vector<double> grid;
  const std::size_t even = 2 * points / 3;
  for (std::size_t i = 1; i <= even; ++i)
    grid.push_back(std::round(last * static_cast<double>(i) / static_cast<double>(even)));
  for (std::size_t i = 0; i < points - even; ++i) {
    grid.push_back(
        std::round(first * std::pow(last / first, static_cast<double>(i) / static_cast<double>(points - even))));
  }
  std::ranges::sort(grid);
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

/// The newest row at or before each point; unknown after the run's last row.
std::vector<std::size_t> rows_at(const RunRecord& run, const std::vector<double>& grid) {
  std::vector<std::size_t> rows(grid.size(), run.rows.size());
  const std::size_t steps = column_of(run, "steps");
  if (steps == run.columns.size() || run.rows.empty()) return rows;
  std::size_t row = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    while (row + 1 < run.rows.size() && run.rows[row + 1][steps] <= grid[i]) ++row;
    const bool begun = run.rows[row][steps] <= grid[i];
    const bool over = row + 1 == run.rows.size() && i > 0 && grid[i - 1] >= run.rows[row][steps];
    if (begun && !over) rows[i] = row;
  }
  return rows;
}

/// Reads a metric from a row: a column, or a number derived from columns and the summary.
class Reading {
 public:
  Reading(const RunRecord& run, const std::string& metric)
      : recent_(metric == "recent_cost"),
        column_(column_of(run, metric)),
        steps_(column_of(run, "steps")),
        cost_(column_of(run, "average_cost")),
        gain_(metric == "regret_to_gain" ? run.number("optimal_gain").value_or(unknown) : unknown) {}

  /// Rows must be read in order.
  double of(const std::vector<double>& row) {
    if (column_ < row.size()) return row[column_];
    if (cost_ >= row.size() || steps_ >= row.size()) return unknown;
    return recent_ ? recent(row) : row[steps_] * (row[cost_] - gain_);
  }

 private:
  double recent(const std::vector<double>& row) {
    if (row[steps_] > steps_before_) {
      const double sum = row[cost_] * row[steps_];
      latest_ = (sum - sum_before_) / (row[steps_] - steps_before_);
      sum_before_ = sum;
      steps_before_ = row[steps_];
    }
    return latest_;
  }

  bool recent_;
  std::size_t column_, steps_, cost_;
  double gain_;
  double sum_before_ = 0.0, steps_before_ = 0.0, latest_ = unknown;
};

std::vector<double> curve_of(const RunRecord& run, const std::string& metric, const std::vector<std::size_t>& rows) {
  std::vector<double> values(rows.size(), unknown);
  Reading reading(run, metric);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < run.rows.size()) values[i] = reading.of(run.rows[rows[i]]);
  }
  return values;
}

}  // namespace

std::vector<std::string> metrics_of(std::span<const RunRecord> runs) {
  std::vector<std::string> metrics{"average_cost", "recent_cost"};
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(metrics, name) == metrics.end()) metrics.push_back(name);
  };
  for (const char* first : {"regret", "regret_to_gain"}) {
    if (std::ranges::any_of(runs, [&](const RunRecord& run) { return column_of(run, first) < run.columns.size(); }))
      add(first);
  }
  if (std::ranges::any_of(runs, [](const RunRecord& run) { return run.number("optimal_gain").has_value(); }))
    add("regret_to_gain");
  for (const RunRecord& run : runs) {
    for (const std::string& name : run.columns)
      if (name != "phase" && name != "steps" && name != "phase_average_cost") add(name);
  }
  return metrics;
}

CommonCurves common_curves(std::span<const RunRecord> runs, std::span<const std::string> metrics, std::size_t points) {
  CommonCurves curves;
  curves.metrics.assign(metrics.begin(), metrics.end());
  double first = std::numeric_limits<double>::infinity();
  double last = 0.0;
  for (const RunRecord& run : runs) {
    curves.failed.push_back(run.failure.has_value() && !run.finished);
    const std::size_t steps = column_of(run, "steps");
    if (run.rows.empty() || steps == run.columns.size()) continue;
    first = std::min(first, std::max(1.0, run.rows.front()[steps]));
    last = std::max(last, run.rows.back()[steps]);
  }
  if (last > 0.0) curves.steps = grid_of(std::min(first, last), last, points);
  std::vector<std::vector<std::size_t>> rows;
  rows.reserve(runs.size());
  for (const RunRecord& run : runs) rows.push_back(rows_at(run, curves.steps));
  for (const std::string& metric : curves.metrics) {
    auto& of_metric = curves.values.emplace_back();
    for (std::size_t i = 0; i < runs.size(); ++i) of_metric.push_back(curve_of(runs[i], metric, rows[i]));
  }
  return curves;
}

std::vector<std::size_t> curve_runs(const CommonCurves& curves, std::size_t metric, const RunGroup& group) {
  std::vector<std::size_t> whole;
  std::vector<std::size_t> failed;
  for (const std::size_t run : group.runs) {
    if (std::ranges::none_of(curves.values[metric][run], [](double value) { return std::isfinite(value); })) continue;
    const bool has_failed = run < curves.failed.size() && curves.failed[run];
    (has_failed ? failed : whole).push_back(run);
  }
  return whole.empty() ? failed : whole;
}

MeanCurve mean_curve(const CommonCurves& curves, std::size_t metric, const RunGroup& group) {
  const std::vector<std::size_t> runs = curve_runs(curves, metric, group);
  MeanCurve curve;
  std::vector<double> seeds;
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    seeds.clear();
    for (const std::size_t run : runs) seeds.push_back(curves.values[metric][run][i]);
    const bool known = std::ranges::all_of(seeds, [](double value) { return std::isfinite(value); });
    const Interval interval = known ? drawn_interval(seeds) : Interval{unknown, unknown, unknown};
    curve.mean.push_back(interval.mean);
    if (runs.size() < 2) continue;
    curve.low.push_back(interval.low);
    curve.high.push_back(interval.high);
  }
  return curve;
}

std::string curve_label(const std::string& label, std::size_t seeds, std::size_t all) {
  return seeds == all || seeds == 0 ? label : fmt::format("{} ({} of {} seeds)", label, seeds, all);
}

namespace {

/// Adds the mean curve of a group if it has one.
void add_series(Plot& plot, const CommonCurves& curves, const std::string& metric, const RunGroup& group,
                const std::string& label, const Look& its_look) {
  const auto at = static_cast<std::size_t>(std::ranges::find(curves.metrics, metric) - curves.metrics.begin());
  if (at == curves.metrics.size()) return;
  const MeanCurve curve = mean_curve(curves, at, group);
  const std::vector<std::size_t> runs = curve_runs(curves, at, group);
  Series series;
  series.label = curve_label(label, runs.size(), group.runs.size());
  series.look = its_look;
  series.markers = false;
  const bool every_seed = runs.size() > 1 && runs.size() < fewest_for_bands;
  if (every_seed) series.each.resize(runs.size());
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    if (!std::isfinite(curve.mean[i])) continue;  // no value, or overflow
    const bool banded =
        !every_seed && !curve.low.empty() && std::isfinite(curve.low[i]) && std::isfinite(curve.high[i]);
    series.x.push_back(curves.steps[i]);
    series.y.push_back(curve.mean[i]);
    series.low.push_back(banded ? curve.low[i] : curve.mean[i]);
    series.high.push_back(banded ? curve.high[i] : curve.mean[i]);
    for (std::size_t k = 0; k < series.each.size(); ++k) series.each[k].push_back(curves.values[at][runs[k]][i]);
  }
  if (!series.x.empty()) plot.series.push_back(series);
}

}  // namespace

Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task, std::size_t first_look) {
  Plot plot;
  std::string metric_words = metric;
  std::ranges::replace(metric_words, '_', ' ');
  plot.title = task;
  plot.x_label = "environment steps";
  plot.y_label = metric_words;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].task == task) add_series(plot, curves, metric, groups[i], groups[i].learner, look(first_look + i));
  }
  return plot;
}

Plot terms_plot(const CommonCurves& curves, const RunGroup& group) {
  Plot plot;
  plot.title = group.label();
  plot.x_label = "environment steps";
  plot.y_label = "regret and its terms";
  for (const char* term : regret_terms) add_series(plot, curves, term, group, term, look(plot.series.size()));
  if (!plot.series.empty()) add_series(plot, curves, "regret", group, "regret", look(plot.series.size()));
  return plot;
}

}  // namespace politex::inline report
