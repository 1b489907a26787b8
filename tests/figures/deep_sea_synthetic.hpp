// Invented runs of the DeepSea figure, for tests of what is computed from runs.
#pragma once

#include <string>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/figures/deep_sea/figure.hpp"
#include "politex/run/summary.hpp"

namespace politex {

/// What the paper's story looks like when all of it is true: mean cost and long-run cost of the final policy.
inline double story_cost(DeepSeaCurve curve, int size) {
  switch (curve) {
    case DeepSeaCurve::every_visit:
    case DeepSeaCurve::first_visit:
    case DeepSeaCurve::tuned:
      return size == 2 ? -1.45 : -1.2;
    case DeepSeaCurve::one_visit:
    case DeepSeaCurve::one_visit_own_mean:
    case DeepSeaCurve::one_visit_coprime:
    case DeepSeaCurve::one_visit_own_mean_coprime:
      return size == 2 ? -1.42 : (size < 20 ? -0.3 : 0.2);
    case DeepSeaCurve::politex_lsmc:
    case DeepSeaCurve::politex_lspe:
    case DeepSeaCurve::rlsvi:
      return size == 2 ? -1.48 : (size < 20 ? -0.5 : 0.0);
    case DeepSeaCurve::lspi:
      return size == 2 ? -1.41 : -0.1;
  }
  return 0.0;
}

inline DeepSeaCell constant_cell(double cost, double spread = 0.01, int seeds = 20) {
  DeepSeaCell cell;
  for (int i = 0; i < seeds; ++i) {
    const double value = cost + spread * (2.0 * i / (seeds - 1) - 1.0);  // symmetric: the mean is `cost`
    for (auto* column : {&cell.average_cost, &cell.last_tenth, &cell.gain_from_start, &cell.gain_from_last_state}) {
      column->push_back(value);
    }
  }
  return cell;
}

inline DeepSeaData story() {
  DeepSeaData data{.grid = deep_sea_grid(false), .cells = {}};
  for (const DeepSeaCurveName& curve : deep_sea_curves()) {
    for (const int size : data.grid.sizes)
      data.cells[{curve.curve, size}] = constant_cell(story_cost(curve.curve, size));
  }
  return data;
}

/// The summary.json of every cell of the grid.
inline std::vector<std::string> story_summaries(const DeepSeaGrid& grid) {
  std::vector<std::string> summaries;
  for (const DeepSeaCurveName& curve : deep_sea_curves())
    for (const int size : grid.sizes)
      for (int seed = 1; seed <= grid.seeds; ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed), Use::test, static_cast<std::uint64_t>(curve.curve),
                static_cast<std::uint64_t>(size));
        Summary summary;
        summary.steps = curve.curve == DeepSeaCurve::tuned ? grid.tuned_steps : grid.steps;
        summary.seed = static_cast<std::uint64_t>(seed);
        summary.average_cost = story_cost(curve.curve, size) + 0.05 * rng.normal();
        summary.average_cost_last_tenth = summary.average_cost - 0.01;
        summary.phases = 100;
        summary.signature = "0123456789abcdef";
        summary.finite = FiniteSummary{};
        summary.finite->optimal_gain = deep_sea_optimum(size);
        summary.finite->final_gain_from_start = summary.finite->final_gain_from_last_state = summary.average_cost;
        summaries.push_back(summary_json(summary));
      }
  return summaries;
}

}  // namespace politex
