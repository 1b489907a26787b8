#include "politex/figures/deep_sea/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

constexpr std::array all_curves{
    DeepSeaCurveName{DeepSeaCurve::every_visit, "figure", "EE-Politex, every visit"},
    DeepSeaCurveName{DeepSeaCurve::first_visit, "first_visit", "EE-Politex, first visit"},
    DeepSeaCurveName{DeepSeaCurve::one_visit, "one_visit", "EE-Politex, one visit"},
    DeepSeaCurveName{DeepSeaCurve::one_visit_own_mean, "one_visit_own_mean", "EE-Politex, one visit, own mean"},
    DeepSeaCurveName{DeepSeaCurve::politex_lsmc, "politex_lsmc", "Politex-LSMC", false},
    DeepSeaCurveName{DeepSeaCurve::politex_lspe, "politex_lspe", "Politex-LSPE", false, 60.0, 17.0},
    DeepSeaCurveName{DeepSeaCurve::rlsvi, "rlsvi", "RLSVI", false, 55.0, 4.6},
    DeepSeaCurveName{DeepSeaCurve::lspi, "lspi", "LSPI, ε = 0.05", false, 50.0, 23.0},
    DeepSeaCurveName{DeepSeaCurve::tuned, "tuned", "EE-Politex, every visit, TUNED", true, 20.0,
                     0.7},  // a solve every 50N steps
    DeepSeaCurveName{DeepSeaCurve::one_visit_coprime, "one_visit_coprime", "EE-Politex, one visit, s coprime"},
    DeepSeaCurveName{DeepSeaCurve::one_visit_own_mean_coprime, "one_visit_own_mean_coprime",
                     "EE-Politex, one visit, own mean, s coprime"},
};

struct GridRun {
  DeepSeaCurve curve;
  int size;
  std::uint64_t seed;
};

std::vector<GridRun> runs_of(const DeepSeaGrid& grid) {
  std::vector<GridRun> runs;
  for (const DeepSeaCurveName& curve : all_curves)
    for (const int size : grid.sizes)
      for (int i = 0; i < grid.seeds; ++i) runs.push_back({curve.curve, size, judged_seed(i)});
  return runs;
}

}  // namespace

std::span<const DeepSeaCurveName> deep_sea_curves() { return all_curves; }
const DeepSeaCurveName& deep_sea_curve_name(DeepSeaCurve curve) {
  return *std::ranges::find(all_curves, curve, &DeepSeaCurveName::curve);
}
std::string_view deep_sea_label(DeepSeaCurve curve) { return deep_sea_curve_name(curve).label; }

DeepSeaGrid deep_sea_grid(bool quick, int seeds) {
  DeepSeaGrid grid{.sizes = {2, 5, 10, 20}, .seeds = 10, .steps = 100'000, .tuned_steps = 200'000, .quick = quick};
  if (!quick)
    grid = {.sizes = {2, 5, 10, 20, 30, 50},
            .seeds = 20,
            .steps = read_experiment("deep_sea/figure.toml").steps,
            .tuned_steps = read_experiment("deep_sea/tuned.toml").steps,
            .quick = false};
  if (seeds > 0) grid.seeds = seeds;
  return grid;
}

Cell deep_sea_cell(DeepSeaCurve curve, int size, std::uint64_t seed, const DeepSeaGrid& grid) {
  const DeepSeaCurveName& name = deep_sea_curve_name(curve);
  const std::int64_t steps = curve == DeepSeaCurve::tuned ? grid.tuned_steps : grid.steps;
  Cell cell{.name = fmt::format("curve={},size={},steps={},seed={}", name.name, size, steps, seed),
            .experiment = fmt::format("deep_sea/{}.toml", name.name),
            .overrides = {fmt::format("steps={}", steps), fmt::format("environment.size={}", size)},
            .seed = seed};
  // The same phase length as with exploration: rollouts of s + s' + 1 target steps.
  if (!name.explores) cell.overrides.push_back(fmt::format("schedule.follow={}", size + size / 2 + 1));
  cell.cost_per_step = name.step_ns + name.step_ns_per_size * size;
  cell.regret = false;
  cell.summary_only = true;
  return cell;
}

std::vector<Cell> deep_sea_cells(const DeepSeaGrid& grid) {
  std::vector<Cell> cells;
  for (const GridRun& run : runs_of(grid)) cells.push_back(deep_sea_cell(run.curve, run.size, run.seed, grid));
  return cells;
}

double deep_sea_optimum(int size) {
  const int moves_right = size / 2;  // of the N steps of a pass
  return -(2.0 - static_cast<double>(moves_right) / size);
}
double deep_sea_always_one(int size) { return -(1.0 + 1.0 / size); }

const DeepSeaCell& DeepSeaData::at(DeepSeaCurve curve, int size) const {
  const auto found = cells.find({curve, size});
  if (found == cells.end()) throw Error(fmt::format("no runs of '{}' at N={}", deep_sea_label(curve), size));
  return found->second;
}

DeepSeaData collect(const DeepSeaGrid& grid, std::span<const std::string> summaries) {
  constexpr std::array<std::string_view, 4> names{"average_cost", "average_cost_last_tenth",
                                                  "final_policy.gain_from_start", "final_policy.gain_from_last_state"};
  DeepSeaData data{.grid = grid, .cells = {}};
  const std::vector<GridRun> runs = runs_of(grid);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double> values = summary_numbers(summaries[i], names);
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
      throw Error("the summary of a DeepSea run has no cost, or no exact cost of its final policy");
    DeepSeaCell& cell = data.cells[{runs[i].curve, runs[i].size}];
    cell.average_cost.push_back(values[0]);
    cell.last_tenth.push_back(values[1]);
    cell.gain_from_start.push_back(values[2]);
    cell.gain_from_last_state.push_back(values[3]);
  }
  return data;
}

std::string deep_sea_csv(const DeepSeaGrid& grid, std::span<const std::string> summaries) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> columns{
      {{"seed", "seed"},
       {"steps", "steps"},
       {"phases", "phases"},
       {"average_cost", "average_cost"},
       {"average_cost_last_tenth", "average_cost_last_tenth"},
       {"explorer_steps", "segments.explorer.steps"},
       {"explorer_average_cost", "segments.explorer.average_cost"},
       {"probe_steps", "segments.probe.steps"},
       {"probe_average_cost", "segments.probe.average_cost"},
       {"target_steps", "segments.target.steps"},
       {"target_average_cost", "segments.target.average_cost"},
       {"final_gain_from_start", "final_policy.gain_from_start"},
       {"final_gain_from_last_state", "final_policy.gain_from_last_state"},
       {"optimal_gain", "optimal_gain"}}};
  std::string text = "curve,size";
  std::vector<std::string_view> names;
  for (const auto& [column, name] : columns) {
    text += fmt::format(",{}", column);
    names.push_back(name);
  }
  text += ",signature\n";
  const std::vector<GridRun> runs = runs_of(grid);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += fmt::format("{},{}", deep_sea_curve_name(runs[i].curve).name, runs[i].size);
    for (const double value : summary_numbers(summaries[i], names)) text += "," + csv_text(value);
    text += fmt::format(",{}\n", summary_word(summaries[i], "signature"));
  }
  return text;
}

}  // namespace politex::inline figures
