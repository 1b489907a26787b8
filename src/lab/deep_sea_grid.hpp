// The runs behind the paper's DeepSea figure: curves, sizes, seeds, their configurations and what they measured.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/config.hpp"
#include "politex/lab/run.hpp"

namespace politex::lab {

enum class Curve {
  every_visit,
  first_visit,
  one_visit,
  one_visit_own_mean,
  politex_lsmc,
  politex_lspe,
  rlsvi,
  lspi,
  tuned,
  one_visit_coprime,
  one_visit_own_mean_coprime,
};

struct CurveName {
  Curve curve;
  std::string_view name;   // in runs.csv and as experiments/deep_sea/<name>.toml
  std::string_view label;  // for people
};

/// All of them, in the order of the tables: eight of the FIGURE preset, TUNED, two with s made coprime.
std::span<const CurveName> curves();
std::string_view label(Curve curve);

struct DeepSeaGrid {
  std::vector<int> sizes;
  int seeds = 0;  // 1..seeds
  std::int64_t steps = 0, tuned_steps = 0;
  bool quick = false;
};
DeepSeaGrid deep_sea_grid(bool quick);

Config deep_sea_config(Curve curve, int size, std::uint64_t seed, const DeepSeaGrid& grid);

/// Average cost of the best policy, of always taking action 1, and of always taking action 0, in closed form.
double deep_sea_optimum(int size);
double deep_sea_always_one(int size);
constexpr double deep_sea_always_zero = 0.0;

struct DeepSeaRun {
  Curve curve;
  int size = 0;
  Summary summary;
};

/// What one curve measured at one size, a value per seed.
struct DeepSeaCell {
  std::vector<double> average_cost, last_tenth, gain_from_start, gain_from_last_state;
};

struct DeepSeaData {
  DeepSeaGrid grid;
  std::map<std::pair<Curve, int>, DeepSeaCell> cells;

  const DeepSeaCell& at(Curve curve, int size) const;
  Interval cost(Curve curve, int size) const { return t_interval(at(curve, size).average_cost); }
};
DeepSeaData collect(const DeepSeaGrid& grid, std::span<const DeepSeaRun> runs);

/// A run from beginning to end.
using Runner = std::function<Summary(const Config&)>;

/// All runs of the grid, in the order curve, size, seed whatever the number of threads; progress on standard error.
std::vector<DeepSeaRun> run_deep_sea(const DeepSeaGrid& grid, int jobs, const Runner& runner);

/// One row per run; no times, so equal runs give equal bytes.
std::string deep_sea_csv(std::span<const DeepSeaRun> runs);

}  // namespace politex::lab
