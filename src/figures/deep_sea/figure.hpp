// The paper's DeepSea figure: average cost against the grid side, nine curves and two that avoid the row trap.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/figures/figure.hpp"

namespace politex::inline figures {

enum class DeepSeaCurve {
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

struct DeepSeaCurveName {
  DeepSeaCurve curve;
  std::string_view name;   // in runs.csv; its runs are experiments/deep_sea/<name>.toml
  std::string_view label;  // for people
  bool explores = true;
  double step_ns = 30.0, step_ns_per_size = 3.3;  // what a step costs, roughly: stepping, and solving
};

/// All of them, in the order of the tables: eight of the FIGURE preset, TUNED, two with s made coprime.
std::span<const DeepSeaCurveName> deep_sea_curves();
const DeepSeaCurveName& deep_sea_curve_name(DeepSeaCurve curve);
std::string_view deep_sea_label(DeepSeaCurve curve);

struct DeepSeaGrid {
  std::vector<int> sizes;
  int seeds = 0;  // from first_judged_seed on
  std::int64_t steps = 0, tuned_steps = 0;
  bool quick = false;
};
/// `seeds` 0: the figure's own number.
DeepSeaGrid deep_sea_grid(bool quick, int seeds = 0);

Cell deep_sea_cell(DeepSeaCurve curve, int size, std::uint64_t seed, const DeepSeaGrid& grid);
/// In the order curve, size, seed.
std::vector<Cell> deep_sea_cells(const DeepSeaGrid& grid);

/// Average cost of the best policy, of always taking action 1, and of always taking action 0, in closed form.
double deep_sea_optimum(int size);
double deep_sea_always_one(int size);
constexpr double deep_sea_always_zero = 0.0;

/// What one curve measured at one size, a value per seed.
struct DeepSeaCell {
  std::vector<double> average_cost, last_tenth, gain_from_start, gain_from_last_state;
};

struct DeepSeaData {
  DeepSeaGrid grid;
  std::map<std::pair<DeepSeaCurve, int>, DeepSeaCell> cells;

  const DeepSeaCell& at(DeepSeaCurve curve, int size) const;
};
/// `summaries` are those of deep_sea_cells(grid), in its order.
DeepSeaData collect(const DeepSeaGrid& grid, std::span<const std::string> summaries);

/// One row per run; no times, so equal runs give equal bytes.
std::string deep_sea_csv(const DeepSeaGrid& grid, std::span<const std::string> summaries);

/// `summaries` are those of deep_sea_cells(grid), in its order.
FigureReport deep_sea_report(const DeepSeaGrid& grid, std::span<const std::string> summaries);

/// "Near": within this share of the distance between the optimum and always-0.
constexpr double near_share = 0.1;

/// The upper half of the sizes, where the paper speaks of N growing: 20, 30, 50 of the full grid.
std::vector<int> large_sizes(const DeepSeaGrid& grid);

/// How many seeds end nearer to the optimum than to always-0.
std::int64_t seeds_that_keep_treasure(const DeepSeaCell& cell, int size);

/// How much the average cost rises per doubling of N over these sizes: a least-squares slope for each seed.
std::vector<double> costs_per_doubling(const DeepSeaData& data, DeepSeaCurve curve, std::span<const int> sizes);

/// Claims (a) to (d), in order.
std::vector<Claim> deep_sea_claims(const DeepSeaData& data);

/// Its entry in the catalogue.
Figure deep_sea_figure();

}  // namespace politex::inline figures
