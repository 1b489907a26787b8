#include "politex/lab/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/base/unknown.hpp"

namespace politex::lab {

namespace {

constexpr std::size_t fewest_points = 30;
constexpr std::size_t most_points = 300;

std::size_t column_of(const RunRecord& run, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(run.columns, name) - run.columns.begin());
}

/// Two thirds evenly spaced, one third by equal ratios, so that a logarithmic axis has its beginning.
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

std::vector<std::string> metrics_of(std::span<const RunRecord> runs) {
  std::vector<std::string> metrics{"average_cost", "recent_cost"};
  for (const RunRecord& run : runs) {
    for (const std::string& name : run.columns) {
      const bool ours = name == "phase" || name == "steps" || name == "phase_average_cost";
      if (!ours && std::ranges::find(metrics, name) == metrics.end()) metrics.push_back(name);
    }
  }
  return metrics;
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

std::vector<double> curve_of(const RunRecord& run, const std::string& metric, const std::vector<std::size_t>& rows) {
  std::vector<double> values(rows.size(), unknown);
  const std::size_t cost = column_of(run, "average_cost");
  const std::size_t steps = column_of(run, "steps");
  const std::size_t column = column_of(run, metric);
  double sum_before = 0.0;
  double steps_before = 0.0;
  double recent = unknown;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= run.rows.size()) continue;
    const auto& row = run.rows[rows[i]];
    if (metric != "recent_cost") {
      if (column < row.size()) values[i] = row[column];
    } else if (cost < row.size()) {
      if (row[steps] > steps_before) {
        const double sum = row[cost] * row[steps];
        recent = (sum - sum_before) / (row[steps] - steps_before);
        sum_before = sum;
        steps_before = row[steps];
      }
      values[i] = recent;
    }
  }
  return values;
}

}  // namespace

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null"; }

std::string json_text(const std::string& words) {
  using Json = nlohmann::json;
  const std::string whole = Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const char c : whole) {
    if (c == '<')
      text += "\\u003c";  // nothing in it can end, or begin, an element of the page
    else
      text += c;
  }
  return text;
}

namespace {

template <class Items, class Write>
std::string json_list(const Items& items, const Write& write) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ',';
    text += write(items[i]);
  }
  text += ']';
  return text;
}

/// Intervals over two seeds may be wider than everything else: the curves keep at least a third of the height. The
/// chart of the page has the same rule.
void keep_curves_visible(Plot& plot) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = infinity, high = -infinity, least = infinity, most = -infinity;
  for (const Series& series : plot.series) {
    low = std::min(low, std::ranges::min(series.y));
    high = std::max(high, std::ranges::max(series.y));
    least = std::min(least, std::ranges::min(series.low));
    most = std::max(most, std::ranges::max(series.high));
  }
  const double room = std::max(high - low, 1e-3 * std::abs(high));
  if (!(least < low - room || most > high + room)) return;
  plot.y_low = std::max(least, low - room);
  plot.y_high = std::min(most, high + room);
}

}  // namespace

CommonCurves common_curves(std::span<const RunRecord> runs, std::size_t most_cells) {
  CommonCurves curves;
  curves.metrics = metrics_of(runs);
  double first = std::numeric_limits<double>::infinity();
  double last = 0.0;
  for (const RunRecord& run : runs) {
    const std::size_t steps = column_of(run, "steps");
    if (run.rows.empty() || steps == run.columns.size()) continue;
    first = std::min(first, std::max(1.0, run.rows.front()[steps]));
    last = std::max(last, run.rows.back()[steps]);
  }
  if (last > 0.0) {
    const std::size_t points = most_cells / (runs.size() * curves.metrics.size());
    curves.steps = grid_of(std::min(first, last), last, std::clamp(points, fewest_points, most_points));
  }
  std::vector<std::vector<std::size_t>> rows;
  rows.reserve(runs.size());
  for (const RunRecord& run : runs) rows.push_back(rows_at(run, curves.steps));
  for (const std::string& metric : curves.metrics) {
    auto& of_metric = curves.values.emplace_back();
    for (std::size_t i = 0; i < runs.size(); ++i) of_metric.push_back(curve_of(runs[i], metric, rows[i]));
  }
  return curves;
}

Plot curve_plot(const CommonCurves& curves, std::span<const RunGroup> groups, const std::string& metric,
                const std::string& task) {
  Plot plot;
  const auto found = std::ranges::find(curves.metrics, metric);
  if (found == curves.metrics.end()) return plot;
  const auto& values = curves.values[static_cast<std::size_t>(found - curves.metrics.begin())];
  std::string metric_words = metric;
  std::ranges::replace(metric_words, '_', ' ');
  plot.title = task;
  plot.x_label = "environment steps";
  plot.y_label = metric_words;
  for (const RunGroup& group : groups) {
    if (group.task != task) continue;
    Series series;
    series.label = group.learner;
    series.look = look(plot.series.size());
    series.markers = false;
    for (std::size_t i = 0; i < curves.steps.size(); ++i) {
      std::vector<double> seeds;
      for (const std::size_t run : group.runs) {
        if (std::isfinite(values[run][i])) seeds.push_back(values[run][i]);
      }
      if (seeds.empty() || seeds.size() < group.runs.size())
        continue;  // a mean over fewer seeds would be another curve
      const Interval interval = t_interval(seeds);
      const double low = seeds.size() > 1 ? interval.low : interval.mean;
      const double high = seeds.size() > 1 ? interval.high : interval.mean;
      if (!std::isfinite(low) || !std::isfinite(high)) continue;  // their sum is beyond all numbers
      series.x.push_back(curves.steps[i]);
      series.y.push_back(interval.mean);
      series.low.push_back(low);
      series.high.push_back(high);
    }
    if (!series.x.empty()) plot.series.push_back(series);
  }
  keep_curves_visible(plot);
  return plot;
}

std::string curves_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups, std::size_t most_cells) {
  const CommonCurves curves = common_curves(runs, most_cells);
  const auto group_json = [&](const RunGroup& group) {
    const auto degrees = static_cast<double>(group.runs.size()) - 1.0;
    return fmt::format("{{\"label\":{},\"t\":{},\"runs\":{}}}", json_text(group.label()),
                       json_number(degrees > 0.0 ? student_quantile(0.975, degrees) : 0.0),
                       json_list(group.runs, [](std::size_t run) { return fmt::format("{}", run); }));
  };
  const auto curve_json = [](const std::vector<double>& curve) { return json_list(curve, json_number); };
  return fmt::format(
      "{{\"steps\":{},\"metrics\":{},\"runs\":{},\"groups\":{},\"values\":{}}}",
      json_list(curves.steps, [](double x) { return fmt::format("{:.0f}", x); }), json_list(curves.metrics, json_text),
      json_list(runs, [](const RunRecord& run) { return json_text(run.name); }), json_list(groups, group_json),
      json_list(curves.values, [&](const auto& metric) { return json_list(metric, curve_json); }));
}

std::string_view chart_style() {
  return R"css(
.chart { width: 100%; height: 24rem; margin: .4rem 0; }
.chart-bar { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center; font-size: .92rem; }
.chart-bar select { font: inherit; max-width: 100%; }
.chart-hover { min-height: 1.5em; font-size: .85rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.chart-keys { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .88rem; max-height: 14rem; overflow-y: auto; }
.chart-keys label { display: inline-flex; align-items: center; gap: .35rem; }
.swatch { width: 1.4rem; height: 0; border-top: 3px solid; display: inline-block; }
.picture-pair { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.picture-pair figure { flex: 1 1 20rem; min-width: 0; margin: .5rem 0; }
.picture-pair canvas { display: block; max-width: 100%; }
#phase-slider { flex: 1 1 10rem; min-width: 6rem; }
.picture-words { font-variant-numeric: tabular-nums; }
#runs th { min-width: 12rem; overflow-wrap: anywhere; }
.dygraph-axis-label, .dygraph-label, .dygraph-title { color: var(--ink); font-size: .8rem; }
.dygraph-legend { background: var(--ground); }
)css";
}

}  // namespace politex::lab
