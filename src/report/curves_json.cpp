// The input of the chart of a page, within the size limit of a page.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/report/assets.hpp"
#include "politex/report/curves.hpp"

namespace politex::inline report {

namespace {

constexpr std::size_t fewest_points = 30;      // of a curve that is shown by default
constexpr std::size_t fewest_run_points = 10;  // of a single run if means over seeds are shown by default

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

/// How much of the curves is written.
struct Extent {
  std::size_t metrics = 0;
  std::size_t run_points = most_points, group_points = most_points;
  int digits = 6;
};

/// How many numbers there are to write per metric and point.
struct Amount {
  std::size_t metrics, runs, groups;

  Amount(std::span<const RunRecord> records, std::span<const RunGroup> of, std::size_t all_metrics)
      : metrics(all_metrics), runs(std::max<std::size_t>(1, records.size())), groups(0) {
    // If every group has one run, the means equal the runs.
    if (std::ranges::any_of(of, [](const RunGroup& group) { return group.runs.size() > 1; })) groups = 3 * of.size();
  }
};

/// Everything if it fits; otherwise fewer points, most of them for the means; then fewer metrics.
Extent extent_within(const Amount& amount, std::size_t cells) {
  Extent extent{.metrics = amount.metrics};
  if (amount.metrics * most_points * (amount.runs + amount.groups) <= cells) return extent;
  extent.digits = 5;
  const std::size_t fewest = amount.groups > 0 ? fewest_run_points : fewest_points;
  for (;; --extent.metrics) {
    const std::size_t of_metric = cells / extent.metrics;
    const std::size_t even = of_metric / (amount.runs + amount.groups);
    if (amount.groups > 0) extent.group_points = std::clamp(of_metric / (2 * amount.groups), even, most_points);
    const std::size_t left = of_metric - std::min(of_metric, extent.group_points * amount.groups);
    extent.run_points = std::min(left / amount.runs, most_points);
    const bool enough = extent.run_points >= fewest && extent.group_points >= fewest_points;
    if (enough || extent.metrics == 1) break;
  }
  extent.run_points = std::max<std::size_t>(extent.run_points, 3);
  extent.group_points = std::max<std::size_t>(extent.group_points, 3);
  return extent;
}

std::string groups_json(const CommonCurves& curves, std::span<const RunGroup> groups) {
  return json_list(groups, [&](const RunGroup& group) {
    const std::size_t seeds = curve_runs(curves, 0, group).size();
    return fmt::format("{{\"label\":{},\"runs\":{}}}", json_text(curve_label(group.label(), seeds, group.runs.size())),
                       json_list(group.runs, [](std::size_t run) { return fmt::format("{}", run); }));
  });
}

std::string steps_json(const std::vector<double>& steps) {
  return json_list(steps, [](double x) { return fmt::format("{:.0f}", x); });
}

std::string write_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                       const std::vector<std::string>& metrics, const Extent& extent) {
  const std::span<const std::string> shown = std::span(metrics).first(extent.metrics);
  const auto curve_json = [&](const std::vector<double>& curve) {
    return json_list(curve, [&](double value) { return json_number(value, extent.digits); });
  };
  const CommonCurves curves = common_curves(runs, shown, extent.run_points);
  std::string text = fmt::format(
      "{{\"steps\":{},\"metrics\":{},\"left_out\":{},\"runs\":{},\"groups\":{},\"values\":{}", steps_json(curves.steps),
      json_list(shown, json_text), json_list(std::span(metrics).subspan(extent.metrics), json_text),
      json_list(runs, [](const RunRecord& run) { return json_text(run.name); }), groups_json(curves, groups),
      json_list(curves.values, [&](const auto& metric) { return json_list(metric, curve_json); }));
  if (Amount(runs, groups, metrics.size()).groups == 0) return text + "}";
  // Metric by metric: all metrics of a large report on the fine grid would need a gigabyte.
  std::string means;
  std::string steps = "[]";
  for (const std::string& metric : shown) {
    const CommonCurves fine = common_curves(runs, std::span(&metric, 1), extent.group_points);
    steps = steps_json(fine.steps);
    if (!means.empty()) means += ',';
    means += json_list(groups, [&](const RunGroup& group) {
      const MeanCurve curve = mean_curve(fine, 0, group);
      return fmt::format("[{},{},{}]", curve_json(curve.mean), curve_json(curve.low), curve_json(curve.high));
    });
  }
  return text + fmt::format(",\"group_steps\":{},\"group_values\":[{}]}}", steps, means);
}

}  // namespace

std::string json_number(double value, int digits) {
  if (!std::isfinite(value)) return "null";
  std::string text = fmt::format("{:.{}g}", value, digits);
  // "1.5e+06" becomes "1.5e6"
  if (const auto exponent = text.find('e'); exponent != std::string::npos) {
    if (text[exponent + 1] == '+') text.erase(exponent + 1, 1);
    const std::size_t first = text[exponent + 1] == '-' ? exponent + 2 : exponent + 1;
    while (text[first] == '0' && first + 1 < text.size()) text.erase(first, 1);
  }
  return text;
}

std::string json_text(const std::string& words) {
  using Json = nlohmann::json;
  const std::string whole = Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const char c : whole) {
    if (c == '<')
      text += "\\u003c";  // cannot start or end an HTML element
    else
      text += c;
  }
  return text;
}

std::string curves_json(std::span<const RunRecord> runs, std::span<const RunGroup> groups, std::size_t most_cells) {
  const std::vector<std::string> metrics = metrics_of(runs);
  const Amount amount(runs, groups, metrics.size());
  const std::size_t points =
      std::clamp(most_cells / (metrics.size() * (amount.runs + amount.groups)), fewest_points, most_points);
  return write_json(runs, groups, metrics,
                    {.metrics = metrics.size(), .run_points = points, .group_points = points, .digits = 6});
}

std::string curves_json_within(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                               std::size_t most_bytes) {
  constexpr double bytes_per_number = 7.5;  // an estimate; if the text does not fit, it is written again with less
  const std::vector<std::string> metrics = metrics_of(runs);
  const Amount amount(runs, groups, metrics.size());
  for (double bytes = static_cast<double>(most_bytes);; bytes *= 0.8) {
    const Extent extent = extent_within(amount, static_cast<std::size_t>(bytes / bytes_per_number));
    std::string text = write_json(runs, groups, metrics, extent);
    constexpr double nothing_left = 1e4;  // the names alone do not fit: leaving out more does not help
    if (text.size() <= most_bytes || bytes < nothing_left) return text;
  }
}

std::string_view chart_style() { return report_css().text; }

}  // namespace politex::inline report
