// Fair tuning: every algorithm gets the same number of settings, its best is chosen on tuning seeds and judged on fresh
// ones, and all that was tried stays in the record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/page/plot.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline sweep {

/// Tuning seeds are 1 to at most this; the fresh seed that goes with each is larger by it.
inline constexpr std::uint64_t most_tuning_seeds = 1000;

struct TriedSetting {
  std::vector<std::pair<std::string, std::string>> settings;  // without the algorithm's name
  std::vector<std::size_t> cells;                             // in the plan, one per tuning seed
  Interval cost;                                              // mean average cost; NaN where a run failed
  bool judged = false;  // on the fresh seeds: it is chosen, or was by a smaller tuning in the same directory
  std::vector<std::size_t> fresh_cells = {};
  Interval fresh = {};  // on seeds that had no part in choosing it; NaN where it is not judged, or a run failed
};

struct TunedAlgorithm {
  std::string name;
  int offered = 0;  // settings in the grid, of which the tried ones were drawn
  std::vector<TriedSetting> tried;
  int chosen = -1;  // least mean cost on the tuning seeds, the first of equals; -1: every setting failed
};

struct Tuning {
  std::vector<TunedAlgorithm> algorithms;
  bool decided = false;  // all tuning runs have ended, and settings were chosen where any run finished
};

/// Keeps `count` settings of every algorithm in the plan, drawn without looking at any result where the grid has more;
/// a larger count keeps all that a smaller one keeps. Throws ConfigError where an algorithm has fewer, the grid has
/// several tasks, or there are too many seeds.
Tuning plan_tuning(SweepPlan& plan, int count);

/// Keeps everything tried in the record: the settings that an earlier tuning judged are planned again, by the names and
/// stages of its sweep.json. Throws ConfigError where it tried settings that the plan (of a tuning or of a plain sweep)
/// does not contain.
void keep_earlier(SweepPlan& plan, Tuning& tuning, const std::map<std::string, std::string>& earlier,
                  const std::filesystem::path& directory);

/// Runs the tuning, chooses each algorithm's best, and runs that on fresh seeds; the results of the whole plan, to
/// which the fresh runs are added. `chosen` is called before the first of them begins, with the results so far. Where
/// the tuning is stopped, or a run failed for a reason that may pass, nothing is chosen: another choice would stay in
/// the record.
std::vector<CellResult> run_tuning(SweepPlan& plan, Tuning& tuning, SweepOptions options,
                                   const std::function<void(std::span<const CellResult>)>& chosen = {});

/// tuning.csv (every setting tried), sensitivity.csv (the cost at each value of each key) and its plots as SVG and PNG.
void write_tuning(const std::filesystem::path& directory, const Tuning& tuning);

/// One curve per algorithm over the values of a key; none where there are fewer than two values.
Plot sensitivity_plot(const Tuning& tuning, const std::string& key);

std::string tuning_csv(const Tuning& tuning);
std::string sensitivity_csv(const Tuning& tuning);

}  // namespace politex::inline sweep
