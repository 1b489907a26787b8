#include "politex/lab/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/plot.hpp"

namespace politex::lab {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Settings without_algorithm(const SweepCell& cell) {
  Settings settings = cell.settings;
  std::erase_if(settings, [](const auto& setting) { return setting.first == "algorithm.name"; });
  return settings;
}

TunedAlgorithm& algorithm_of(Tuning& tuning, const std::string& name) {
  const auto found = std::ranges::find(tuning.algorithms, name, &TunedAlgorithm::name);
  if (found != tuning.algorithms.end()) return *found;
  return tuning.algorithms.emplace_back(
      TunedAlgorithm{.name = name, .offered = 0, .tried = {}, .chosen = -1, .fresh = {}});
}

// A draw of `count` of the settings that depends on their number alone; the order of the grid stays.
void draw_settings(std::vector<TriedSetting>& settings, std::size_t count) {
  std::vector<std::size_t> order(settings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng(1, Use::sample, settings.size(), count);
  for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + rng.below(order.size() - i)]);
  order.resize(count);
  std::ranges::sort(order);
  std::vector<TriedSetting> drawn;
  for (const std::size_t i : order) drawn.push_back(std::move(settings[i]));
  settings = std::move(drawn);
}

// The plan without the cells of settings that were not drawn.
void keep_tried(SweepPlan& plan, Tuning& tuning) {
  std::vector<SweepCell> kept;
  for (TunedAlgorithm& algorithm : tuning.algorithms)
    for (TriedSetting& tried : algorithm.tried)
      for (std::size_t& cell : tried.cells) {
        kept.push_back(std::move(plan.cells[cell]));
        cell = kept.size() - 1;
      }
  plan.cells = std::move(kept);
}

Interval cost_over(std::span<const std::size_t> cells, std::span<const CellResult> results) {
  std::vector<double> costs;
  for (const std::size_t cell : cells) {
    if (results[cell].state != CellResult::State::done) return {unknown, unknown, unknown};
    costs.push_back(summary_number(results[cell].summary, "average_cost"));
  }
  return t_interval(costs);
}

std::string cells_of(const Interval& interval) {
  const auto cell = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
  return fmt::format("{},{},{}", cell(interval.mean), cell(interval.low), cell(interval.high));
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text;
}

/// The cost at one value of one key: the best setting with it, and the mean over all of them.
struct Sensitivity {
  std::string key, value;
  int settings = 0;
  double best = unknown, mean = unknown;
};

std::vector<Sensitivity> sensitivities(const TunedAlgorithm& algorithm) {
  std::vector<Sensitivity> points;
  for (const TriedSetting& tried : algorithm.tried)
    for (const auto& [key, value] : tried.settings) {
      const auto same = [&, k = key, v = value](const Sensitivity& point) {
        return point.key == k && point.value == v;
      };
      auto found = std::ranges::find_if(points, same);
      if (found == points.end())
        found = points.insert(points.end(), {.key = key, .value = value, .settings = 0, .best = unknown, .mean = 0.0});
      const double cost = tried.cost.mean;
      found->mean += (cost - found->mean) / ++found->settings;
      if (!(found->best <= cost)) found->best = std::isnan(cost) ? found->best : cost;
    }
  return points;
}

std::optional<double> as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// One figure per key whose values are numbers, one curve per algorithm.
std::optional<Plot> sensitivity_plot(const Tuning& tuning, const std::string& key) {
  Plot plot;
  plot.title = fmt::format("Sensitivity to {}: the best setting with each value, tuning seeds", key);
  plot.x_label = key;
  plot.y_label = "average cost";
  bool positive = true;
  for (const TunedAlgorithm& algorithm : tuning.algorithms) {
    std::vector<std::pair<double, double>> points;
    for (const Sensitivity& point : sensitivities(algorithm))
      if (const auto x = as_number(point.value); point.key == key && x && std::isfinite(point.best)) {
        points.emplace_back(*x, point.best);
        positive = positive && *x > 0.0;
      }
    std::ranges::sort(points);
    Series series{.label = algorithm.name, .x = {}, .y = {}, .low = {}, .high = {}, .look = look(plot.series.size())};
    for (const auto& [x, y] : points) {
      series.x.push_back(x);
      series.y.push_back(y);
    }
    if (points.size() > 1) plot.series.push_back(std::move(series));
  }
  plot.log_x = positive;
  if (plot.series.empty()) return std::nullopt;
  return plot;
}

}  // namespace

Tuning plan_tuning(SweepPlan& plan, int count) {
  Tuning tuning;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    TunedAlgorithm& algorithm = algorithm_of(tuning, plan.cells[i].config.algorithm.name);
    const Settings settings = without_algorithm(plan.cells[i]);
    auto found = std::ranges::find(algorithm.tried, settings, &TriedSetting::settings);
    if (found == algorithm.tried.end())
      found = algorithm.tried.insert(algorithm.tried.end(), {.settings = settings, .cells = {}, .cost = {}});
    found->cells.push_back(i);
  }
  for (TunedAlgorithm& algorithm : tuning.algorithms) {
    algorithm.offered = static_cast<int>(algorithm.tried.size());
    if (algorithm.offered < count)
      throw ConfigError{"--tune",
                        fmt::format("{} is more settings than the grid has for {}, and every algorithm gets the same "
                                    "number; accepted: at most {}",
                                    count, algorithm.name, algorithm.offered)};
    draw_settings(algorithm.tried, static_cast<std::size_t>(count));
  }
  keep_tried(plan, tuning);
  return tuning;
}

void run_fresh(SweepPlan& plan, Tuning& tuning, std::span<const std::uint64_t> seeds, const SweepOptions& options,
               std::vector<CellResult>& results, std::vector<std::string>& stages) {
  stages.assign(plan.cells.size(), "tuning");
  std::vector<SweepCell> fresh;
  std::vector<std::vector<std::size_t>> places(tuning.algorithms.size());
  for (std::size_t a = 0; a < tuning.algorithms.size(); ++a) {
    TunedAlgorithm& algorithm = tuning.algorithms[a];
    for (std::size_t i = 0; i < algorithm.tried.size(); ++i) {
      TriedSetting& tried = algorithm.tried[i];
      tried.cost = cost_over(tried.cells, results);
      const bool first = algorithm.chosen < 0;
      if (!std::isnan(tried.cost.mean) &&
          (first || tried.cost.mean < algorithm.tried[static_cast<std::size_t>(algorithm.chosen)].cost.mean))
        algorithm.chosen = static_cast<int>(i);
    }
    if (algorithm.chosen < 0) continue;
    const SweepCell& model = plan.cells[algorithm.tried[static_cast<std::size_t>(algorithm.chosen)].cells.front()];
    for (const std::uint64_t seed : seeds) {
      SweepCell cell = model;
      cell.config.seed = seed;
      cell.name = fmt::format("{}seed={}", model.name.substr(0, model.name.rfind("seed=")), seed);
      places[a].push_back(plan.cells.size() + fresh.size());
      fresh.push_back(std::move(cell));
    }
  }
  const std::vector<CellResult> more = run_cells(fresh, options);
  plan.cells.insert(plan.cells.end(), fresh.begin(), fresh.end());
  results.insert(results.end(), more.begin(), more.end());
  stages.resize(plan.cells.size(), "fresh");
  for (std::size_t a = 0; a < tuning.algorithms.size(); ++a) tuning.algorithms[a].fresh = cost_over(places[a], results);
}

std::string tuning_csv(const Tuning& tuning) {
  std::string text =
      "algorithm,settings,offered,tried,tuning_mean,tuning_low,tuning_high,chosen,fresh_mean,fresh_low,fresh_high\n";
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (std::size_t i = 0; i < algorithm.tried.size(); ++i) {
      const bool chosen = static_cast<int>(i) == algorithm.chosen;
      text += fmt::format("{},{},{},{},{},{},{}\n", algorithm.name, settings_text(algorithm.tried[i].settings),
                          algorithm.offered, algorithm.tried.size(), cells_of(algorithm.tried[i].cost), chosen ? 1 : 0,
                          chosen ? cells_of(algorithm.fresh) : ",,");
    }
  return text;
}

std::string sensitivity_csv(const Tuning& tuning) {
  std::string text = "algorithm,key,value,settings,best_cost,mean_cost\n";
  for (const TunedAlgorithm& algorithm : tuning.algorithms)
    for (const Sensitivity& point : sensitivities(algorithm))
      text += fmt::format("{},{},{},{},{},{}\n", algorithm.name, point.key, point.value, point.settings, point.best,
                          point.mean);
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
    if (const auto plot = sensitivity_plot(tuning, key)) draw(*plot, directory, "sensitivity-" + key);
}

}  // namespace politex::lab
