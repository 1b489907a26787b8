#include "politex/lab/tune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/base/unknown.hpp"
#include "politex/lab/comparison.hpp"

namespace politex::lab {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

KeyValues without_algorithm(const SweepCell& cell) {
  KeyValues settings = cell.settings;
  std::erase_if(settings, [](const auto& setting) { return setting.first == "algorithm.name"; });
  return settings;
}

TunedAlgorithm& algorithm_of(Tuning& tuning, const std::string& name) {
  const auto found = std::ranges::find(tuning.algorithms, name, &TunedAlgorithm::name);
  if (found != tuning.algorithms.end()) return *found;
  return tuning.algorithms.emplace_back(
      TunedAlgorithm{.name = name, .offered = 0, .tried = {}, .chosen = -1, .fresh = {}});
}

// Costs of different tasks cannot be compared: the easiest task would be chosen, whatever the settings.
void require_one_task(const SweepPlan& plan) {
  for (const std::string& key : plan.keys) {
    if (!names_task(key)) continue;
    std::vector<std::string> values;
    for (const SweepCell& cell : plan.cells)
      if (std::ranges::find(values, cell.setting(key)) == values.end()) values.push_back(cell.setting(key));
    if (values.size() > 1)
      throw ConfigError{key, fmt::format("{} are different tasks, and --tune chooses how to solve one; accepted with "
                                         "--tune: one value, and a tuning with its own --out for every other",
                                         fmt::join(values, ", "))};
  }
}

void require_fresh_seeds(const SweepPlan& plan) {
  const std::uint64_t last =
      std::ranges::max(plan.cells, {}, [](const auto& cell) { return cell.config.seed; }).config.seed;
  if (last > most_tuning_seeds)
    throw ConfigError{"--seeds", fmt::format("{} would reach the fresh seeds of --tune, which begin at {}; accepted "
                                             "with --tune: 1 to {}",
                                             last, most_tuning_seeds + 1, most_tuning_seeds)};
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

}  // namespace

Tuning plan_tuning(SweepPlan& plan, int count) {
  require_one_task(plan);
  require_fresh_seeds(plan);
  Tuning tuning;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    TunedAlgorithm& algorithm = algorithm_of(tuning, plan.cells[i].config.algorithm.name);
    const KeyValues settings = without_algorithm(plan.cells[i]);
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

}  // namespace politex::lab
