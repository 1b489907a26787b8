#include "politex/sweep/tune.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/base/unknown.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/run_groups.hpp"

namespace politex::inline sweep {
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
  return tuning.algorithms.emplace_back(TunedAlgorithm{.name = name, .offered = 0, .tried = {}, .chosen = -1});
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

// The first `count` of an order that depends on the number of settings alone, so that a larger count draws all of a
// smaller one's; what is drawn stays in the order of the grid.
void draw_settings(std::vector<TriedSetting>& settings, std::size_t count) {
  std::vector<std::size_t> order(settings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng(1, Use::sample, settings.size());
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
        kept.back().stage = tuning_stage;
        cell = kept.size() - 1;
      }
  plan.cells = std::move(kept);
}

template <class Function>
void for_each_tried(Tuning& tuning, const Function& function) {
  for (TunedAlgorithm& algorithm : tuning.algorithms)
    for (TriedSetting& tried : algorithm.tried) function(tried);
}

Interval cost_over(std::span<const std::size_t> cells, std::span<const CellResult> results) {
  std::vector<double> costs;
  for (const std::size_t cell : cells) {
    if (results[cell].state != CellResult::State::done) return {unknown, unknown, unknown};
    costs.push_back(summary_number(results[cell].summary, "average_cost"));
  }
  return t_interval(costs);
}

// A run's name up to its seed: the same for the tuning and the fresh runs of a setting.
std::string before_seed(const std::string& name) { return name.substr(0, name.rfind("seed=")); }

void choose(Tuning& tuning, std::span<const CellResult> results) {
  for (TunedAlgorithm& algorithm : tuning.algorithms) {
    TriedSetting* best = nullptr;
    for (TriedSetting& tried : algorithm.tried) {
      tried.cost = cost_over(tried.cells, results);
      if (std::isnan(tried.cost.mean) || (best != nullptr && tried.cost.mean >= best->cost.mean)) continue;
      best = &tried;
    }
    if (best == nullptr) continue;
    algorithm.chosen = static_cast<int>(best - algorithm.tried.data());
    best->judged = true;
  }
  tuning.decided = true;
}

// Replaces the plan's fresh runs by those of all settings that are judged.
void plan_fresh(SweepPlan& plan, Tuning& tuning) {
  std::erase_if(plan.cells, [](const SweepCell& cell) { return cell.stage == fresh_stage; });
  for_each_tried(tuning, [&](TriedSetting& tried) {
    tried.fresh_cells.clear();
    if (!tried.judged) return;
    const std::string name = before_seed(plan.cells[tried.cells.front()].name);
    for (const std::size_t model : tried.cells) {
      SweepCell cell = plan.cells[model];
      cell.config.seed += most_tuning_seeds;
      cell.name = fmt::format("{}seed={}", name, cell.config.seed);
      cell.stage = fresh_stage;
      tried.fresh_cells.push_back(plan.cells.size());
      plan.cells.push_back(std::move(cell));
    }
  });
}

}  // namespace

Tuning plan_tuning(SweepPlan& plan, int count) {
  require_one_task(plan);
  require_fresh_seeds(plan);
  Tuning tuning;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    TunedAlgorithm& algorithm = algorithm_of(tuning, plan.cells[i].config.text("algorithm.name"));
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

void keep_earlier(SweepPlan& plan, Tuning& tuning, const std::map<std::string, std::string>& earlier,
                  const std::filesystem::path& directory) {
  std::set<std::string> planned;
  for (const SweepCell& cell : plan.cells)
    if (cell.stage == tuning_stage) planned.insert(name_in_json(cell.name));
  std::set<std::string> judged;
  std::vector<std::string> dropped;
  for (const auto& [name, stage] : earlier) {
    if (stage == fresh_stage) judged.insert(before_seed(name));
    if (stage == tuning_stage && !planned.contains(name)) dropped.push_back(name);
  }
  if (!dropped.empty())
    throw ConfigError{
        "--out", fmt::format("{} holds a tuning, and {} of its tuning runs are not in this sweep ({}{}): "
                             "all that was tried stays in the record; accepted: another directory, or "
                             "the same grid with --tune and --seeds at least as large as they were",
                             directory.string(), dropped.size(), dropped.front(), dropped.size() > 1 ? ", ..." : "")};
  for_each_tried(tuning, [&](TriedSetting& tried) {
    tried.judged = judged.contains(before_seed(name_in_json(plan.cells[tried.cells.front()].name)));
  });
  plan_fresh(plan, tuning);
}

std::vector<CellResult> run_tuning(SweepPlan& plan, Tuning& tuning, SweepOptions options,
                                   const std::function<void(std::span<const CellResult>)>& chosen) {
  const auto first_fresh = std::ranges::find(plan.cells, fresh_stage, &SweepCell::stage);
  std::vector<CellResult> results = run_cells(std::span(plan.cells.begin(), first_fresh), options);
  const std::atomic<int> at_once = 1;
  // All ranks must continue or none: a signal may have reached only some of them.
  const auto unfinished = [](const CellResult& result) {
    return result.state == CellResult::State::stopped || failed_for_now(result);
  };
  if (std::ranges::none_of(results, unfinished)) {
    choose(tuning, results);
    plan_fresh(plan, tuning);
    if (chosen) chosen(results);
  } else {
    options.stop = &at_once;  // nothing more is run, but earlier results are still reported
  }
  const std::vector<CellResult> fresh = run_cells(std::span(plan.cells).subspan(results.size()), options);
  results.insert(results.end(), fresh.begin(), fresh.end());
  for_each_tried(tuning, [&](TriedSetting& tried) { tried.fresh = cost_over(tried.fresh_cells, results); });
  return results;
}

}  // namespace politex::inline sweep
