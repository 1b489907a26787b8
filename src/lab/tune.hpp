// Fair tuning: every algorithm gets the same number of settings, its best is chosen on tuning seeds and judged on fresh
// ones, and all that was tried stays in the record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/sweep.hpp"

namespace politex::lab {

/// Tuning seeds are 1 to at most this; the fresh ones follow it.
inline constexpr std::uint64_t most_tuning_seeds = 1000;

struct TriedSetting {
  std::vector<std::pair<std::string, std::string>> settings;  // without the algorithm's name
  std::vector<std::size_t> cells;                             // in the plan, one per tuning seed
  Interval cost;                                              // mean average cost; NaN where a run failed
};

struct TunedAlgorithm {
  std::string name;
  int offered = 0;  // settings in the grid, of which the tried ones were drawn
  std::vector<TriedSetting> tried;
  int chosen = -1;  // least mean cost on the tuning seeds, the first of equals; -1: every setting failed
  Interval fresh;   // the chosen setting on seeds that had no part in choosing it
};

struct Tuning {
  std::vector<TunedAlgorithm> algorithms;
};

/// Keeps `count` settings of every algorithm in the plan, drawn without looking at any result where the grid has more.
/// Throws ConfigError where an algorithm has fewer, the grid has several tasks, or there are too many seeds.
Tuning plan_tuning(SweepPlan& plan, int count);

/// Chooses each algorithm's best from the results of the tuning runs, runs it on the fresh seeds, and appends those
/// runs to plan and results; `stages` becomes "tuning" or "fresh" for every run.
void run_fresh(SweepPlan& plan, Tuning& tuning, std::span<const std::uint64_t> seeds, const SweepOptions& options,
               std::vector<CellResult>& results, std::vector<std::string>& stages);

/// tuning.csv (every setting tried), sensitivity.csv (the cost at each value of each key) and its curves as SVG and
/// PNG.
void write_tuning(const std::filesystem::path& directory, const Tuning& tuning);

/// One curve per algorithm over the values of a key; none where there are fewer than two values.
Plot sensitivity_plot(const Tuning& tuning, const std::string& key);

std::string tuning_csv(const Tuning& tuning);
std::string sensitivity_csv(const Tuning& tuning);

}  // namespace politex::lab
