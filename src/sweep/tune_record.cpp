// The record of a tuning, as tables and plots.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "politex/base/output_file.hpp"
#include "politex/base/unknown.hpp"
#include "politex/page/plot.hpp"
#include "politex/sweep/tune.hpp"

namespace politex::inline sweep {
namespace {

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string cells_of(const Interval& interval) {
  return fmt::format("{},{},{}", cell(interval.mean), cell(interval.low), cell(interval.high));
}

std::string settings_text(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text;
}

/// The cost at one value of one key: of the best setting that has it, and the mean over all that did not fail.
struct Sensitivity {
  std::string key, value;
  int settings = 0;
  Interval best{unknown, unknown, unknown};
  double sum = 0.0;

  double mean() const { return settings > 0 ? sum / settings : unknown; }
};

std::vector<Sensitivity> sensitivities(const TunedAlgorithm& algorithm) {
  std::vector<Sensitivity> points;
  for (const TriedSetting& tried : algorithm.tried)
    for (const auto& [key, value] : tried.settings) {
      auto found = points.begin();
      while (found != points.end() && !(found->key == key && found->value == value)) ++found;
      if (found == points.end()) {
        points.emplace_back();
        found = points.end() - 1;
        found->key = key;
        found->value = value;
      }
      if (!std::isfinite(tried.cost.mean)) continue;
      ++found->settings;
      found->sum += tried.cost.mean;
      if (!(found->best.mean <= tried.cost.mean)) found->best = tried.cost;
    }
  return points;
}

double as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : unknown;
}

/// Positions of the values of a key on an axis: by size if all are numbers, otherwise evenly spaced.
struct SensitivityAxis {
  std::vector<std::string> values;
  bool numbers = true;

  double place(const std::string& value) const {
    return numbers ? as_number(value) : static_cast<double>(std::ranges::find(values, value) - values.begin());
  }
};

SensitivityAxis axis_of(const Tuning& tuning, const std::string& key) {
  SensitivityAxis axis;
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (const TriedSetting& tried : algorithm.tried)
      for (const auto& [name, value] : tried.settings)
        if (name == key && std::ranges::find(axis.values, value) == axis.values.end()) axis.values.push_back(value);
  axis.numbers = std::ranges::none_of(axis.values, [](const auto& value) { return std::isnan(as_number(value)); });
  return axis;
}

Series curve_of(const TunedAlgorithm& algorithm, const std::string& key, const SensitivityAxis& axis,
                std::size_t index) {
  std::vector<std::pair<double, Interval>> points;
  for (const Sensitivity& point : sensitivities(algorithm))
    if (point.key == key && std::isfinite(point.best.mean)) points.emplace_back(axis.place(point.value), point.best);
  std::ranges::sort(points, {}, &std::pair<double, Interval>::first);
  // No intervals: each point is the best of several settings on the same seeds, so that its interval would be too low.
  Series series{.label = algorithm.name, .x = {}, .y = {}, .low = {}, .high = {}, .look = look(index)};
  for (const auto& [x, cost] : points) {
    series.x.push_back(x);
    series.y.push_back(cost.mean);
  }
  return series;
}

}  // namespace

Plot sensitivity_plot(const Tuning& tuning, const std::string& key) {
  const SensitivityAxis axis = axis_of(tuning, key);
  Plot plot;
  plot.title = fmt::format("Sensitivity to {}: the best setting with each value", key);
  plot.x_label = key;
  plot.y_label = "average cost on the tuning seeds";
  for (const TunedAlgorithm& algorithm : tuning.algorithms) {
    Series series = curve_of(algorithm, key, axis, plot.series.size());
    if (series.x.size() > 1) plot.series.push_back(std::move(series));
  }
  if (plot.series.empty()) return plot;
  std::vector<double> places;
  for (const std::string& value : axis.values) {
    places.push_back(axis.place(value));
    if (axis.values.size() <= 12) plot.x_ticks.push_back({places.back(), value});
  }
  const auto [low, high] = std::ranges::minmax(places);
  plot.log_x = axis.numbers && low > 0.0 && high > 4.0 * low;
  // Markers at the ends of the axis would be on its border.
  plot.x_low = plot.log_x ? low / 1.15 : low - 0.08 * (high - low);
  plot.x_high = plot.log_x ? high * 1.15 : high + 0.08 * (high - low);
  return plot;
}

std::string tuning_csv(const Tuning& tuning) {
  std::string text =
      "algorithm,settings,offered,tried,tuning_mean,tuning_low,tuning_high,chosen,fresh_mean,fresh_low,fresh_high\n";
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (std::size_t i = 0; i < algorithm.tried.size(); ++i) {
      const TriedSetting& tried = algorithm.tried[i];
      text += fmt::format("{},{},{},{},{},{},{}\n", algorithm.name, settings_text(tried.settings), algorithm.offered,
                          algorithm.tried.size(), cells_of(tried.cost), static_cast<int>(i) == algorithm.chosen ? 1 : 0,
                          cells_of(tried.fresh));
    }
  return text;
}

std::string sensitivity_csv(const Tuning& tuning) {
  std::string text = "algorithm,key,value,settings,best_cost,mean_cost\n";
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (const Sensitivity& point : sensitivities(algorithm))
      text += fmt::format("{},{},{},{},{},{}\n", algorithm.name, point.key, point.value, point.settings,
                          cell(point.best.mean), cell(point.mean()));
  return text;
}

void write_tuning(const std::filesystem::path& directory, const Tuning& tuning) {
  write_atomically(directory / "tuning.csv", tuning_csv(tuning));
  write_atomically(directory / "sensitivity.csv", sensitivity_csv(tuning));
  std::set<std::string> keys;
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (const TriedSetting& tried : algorithm.tried)
      for (const auto& [key, value] : tried.settings) keys.insert(key);
  for (const std::string& key : keys)
    if (const Plot plot = sensitivity_plot(tuning, key); !plot.series.empty())
      draw(plot, directory, "sensitivity-" + key);
}

}  // namespace politex::inline sweep
