#include "politex/lab/deep_sea_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/lab/live_line.hpp"
#include "politex/lab/pool.hpp"

namespace politex::lab {

namespace {

constexpr std::array all_curves{
    CurveName{Curve::every_visit, "figure", "EE-Politex, every visit"},
    CurveName{Curve::first_visit, "first_visit", "EE-Politex, first visit"},
    CurveName{Curve::one_visit, "one_visit", "EE-Politex, one visit"},
    CurveName{Curve::one_visit_own_mean, "one_visit_own_mean", "EE-Politex, one visit, own mean"},
    CurveName{Curve::politex_lsmc, "politex_lsmc", "Politex-LSMC"},
    CurveName{Curve::politex_lspe, "politex_lspe", "Politex-LSPE"},
    CurveName{Curve::rlsvi, "rlsvi", "RLSVI"},
    CurveName{Curve::lspi, "lspi", "LSPI, ε = 0.05"},
    CurveName{Curve::tuned, "tuned", "EE-Politex, every visit, TUNED"},
    CurveName{Curve::one_visit_coprime, "one_visit_coprime", "EE-Politex, one visit, s coprime"},
    CurveName{Curve::one_visit_own_mean_coprime, "one_visit_own_mean_coprime",
              "EE-Politex, one visit, own mean, s coprime"},
};

/// m rollouts of s + s' + 1 target steps: the same phase length as with exploration.
void without_exploration(Config& config, int size) {
  config.schedule.follow =
      Length::steps(config.schedule.explore.resolve(size) + 1 + config.schedule.follow.resolve(size));
  config.schedule.explore = Length::steps(0);
  config.explorer.name = "none";
}

/// Nanoseconds a run takes, roughly, for the estimate of the time left: stepping, and solves whose share of a step
/// grows like N because phases grow with N too.
double work_of(const Config& config) {
  double fixed = 30.0;
  double per_size = 3.3;
  if (config.algorithm.name == "lspi") {
    fixed = 50.0, per_size = 23.0;
  } else if (config.algorithm.name == "rlsvi") {
    fixed = 55.0, per_size = 4.6;
  } else if (config.algorithm.estimator == "lspe") {
    fixed = 60.0, per_size = 17.0;
  } else if (config.algorithm.horizon.numerator != 0) {
    fixed = 20.0, per_size = 0.7;  // TUNED: a solve every 45N steps
  }
  return static_cast<double>(config.steps) * (fixed + per_size * static_cast<double>(config.environment.size));
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace

std::span<const CurveName> curves() { return all_curves; }

std::string_view label(Curve curve) { return std::ranges::find(all_curves, curve, &CurveName::curve)->label; }

DeepSeaGrid deep_sea_grid(bool quick) {
  if (quick) return {.sizes = {2, 5, 10, 20}, .seeds = 10, .steps = 100'000, .tuned_steps = 200'000, .quick = true};
  return {.sizes = {2, 5, 10, 20, 30, 50}, .seeds = 20, .steps = 500'000, .tuned_steps = 1'000'000, .quick = false};
}

Config deep_sea_config(Curve curve, int size, std::uint64_t seed, const DeepSeaGrid& grid) {
  Config config;
  config.steps = curve == Curve::tuned ? grid.tuned_steps : grid.steps;
  config.seed = seed;
  config.environment.name = "deep_sea";
  config.environment.size = size;
  config.algorithm.name = "ee_politex";
  config.algorithm.estimator = "lsmc";
  config.algorithm.visits = "every";
  config.algorithm.average = "phase";
  config.algorithm.horizon = Length::steps(0);
  config.algorithm.eta = "0.5";
  config.algorithm.ridge = 0.01;
  config.schedule.kind = "fixed";
  config.schedule.rollouts = 5;
  config.schedule.explore = Length::parse("schedule.explore", "N/2");
  config.schedule.follow = Length::parse("schedule.follow", "N");
  config.explorer.name = "always";
  config.explorer.action = 1;
  config.features.name = "additive";
  switch (curve) {
    case Curve::every_visit:
      break;
    case Curve::first_visit:
      config.algorithm.visits = "first";
      break;
    case Curve::one_visit_own_mean_coprime:
      config.schedule.coprime = true;
      [[fallthrough]];
    case Curve::one_visit_own_mean:
      config.algorithm.average = "rollout";
      [[fallthrough]];
    case Curve::one_visit:
      config.algorithm.visits = "one";
      break;
    case Curve::one_visit_coprime:
      config.schedule.coprime = true;
      config.algorithm.visits = "one";
      break;
    case Curve::politex_lspe:
      config.algorithm.estimator = "lspe";
      [[fallthrough]];
    case Curve::politex_lsmc:
      config.algorithm.name = "politex";
      without_exploration(config, size);
      break;
    case Curve::rlsvi:
    case Curve::lspi:
      config.algorithm.name = curve == Curve::rlsvi ? "rlsvi" : "lspi";
      without_exploration(config, size);
      break;
    case Curve::tuned:
      config.algorithm.eta = "0.1";
      config.algorithm.horizon = Length::parse("algorithm.horizon", "4N");
      config.schedule.explore = Length::parse("schedule.explore", "3N/4");
      config.schedule.follow = Length::parse("schedule.follow", "8N");
      break;
  }
  return config;
}

double deep_sea_optimum(int size) {
  const int moves_right = size / 2;  // of the N steps of a pass
  return -(2.0 - static_cast<double>(moves_right) / size);
}
double deep_sea_always_one(int size) { return -(1.0 + 1.0 / size); }

const DeepSeaCell& DeepSeaData::at(Curve curve, int size) const {
  const auto found = cells.find({curve, size});
  if (found == cells.end()) throw Error(fmt::format("no runs of '{}' at N={}", label(curve), size));
  return found->second;
}

DeepSeaData collect(const DeepSeaGrid& grid, std::span<const DeepSeaRun> runs) {
  DeepSeaData data{.grid = grid, .cells = {}};
  for (const DeepSeaRun& run : runs) {
    if (!run.summary.finite) throw Error("a DeepSea run came back without the exact cost of its final policy");
    DeepSeaCell& cell = data.cells[{run.curve, run.size}];
    cell.average_cost.push_back(run.summary.average_cost);
    cell.last_tenth.push_back(run.summary.average_cost_last_tenth);
    cell.gain_from_start.push_back(run.summary.finite->final_gain_from_start);
    cell.gain_from_last_state.push_back(run.summary.finite->final_gain_from_last_state);
  }
  return data;
}

std::vector<DeepSeaRun> run_deep_sea(const DeepSeaGrid& grid, int jobs, const Runner& runner) {
  std::vector<DeepSeaRun> runs;
  std::vector<Config> configs;
  double work = 0.0;
  for (const CurveName& curve : all_curves) {
    for (const int size : grid.sizes) {
      for (int seed = 1; seed <= grid.seeds; ++seed) {
        configs.push_back(deep_sea_config(curve.curve, size, static_cast<std::uint64_t>(seed), grid));
        runs.push_back({.curve = curve.curve, .size = size, .summary = {}});
        work += work_of(configs.back());
      }
    }
  }
  // The longest first, so that no core is left with a long run at the end.
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return work_of(configs[a]) > work_of(configs[b]); });

  JobsLine progress("deep_sea", runs.size(), work);
  run_jobs(order, jobs, [&](std::size_t i) {
    runs[i].summary = runner(configs[i]);
    progress.done(work_of(configs[i]));
  });
  return runs;
}

std::string deep_sea_csv(std::span<const DeepSeaRun> runs) {
  std::string text =
      "curve,size,seed,steps,phases,average_cost,average_cost_last_tenth,explorer_steps,explorer_average_cost,"
      "probe_steps,probe_average_cost,target_steps,target_average_cost,final_gain_from_start,"
      "final_gain_from_last_state,optimal_gain,signature\n";
  for (const DeepSeaRun& run : runs) {
    const Summary& s = run.summary;
    const FiniteSummary exact = s.finite.value_or(FiniteSummary{});
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                        std::ranges::find(all_curves, run.curve, &CurveName::curve)->name, run.size, s.seed, s.steps,
                        s.phases, csv_number(s.average_cost), csv_number(s.average_cost_last_tenth), s.explorer.steps,
                        csv_number(s.explorer.average_cost), s.probe.steps, csv_number(s.probe.average_cost),
                        s.target.steps, csv_number(s.target.average_cost), csv_number(exact.final_gain_from_start),
                        csv_number(exact.final_gain_from_last_state), csv_number(exact.optimal_gain), s.signature);
  }
  return text;
}

}  // namespace politex::lab
