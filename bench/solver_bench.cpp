// Time per row of one phase of least squares by solver and number of features: 10,000 rows of 16 indicators each, as of
// tiles; and differential Sarsa's update without any library around it, as the limit of what touching tiles costs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "politex/base/rng.hpp"
#include "politex/features/tiles.hpp"
#include "politex/solvers/regression.hpp"

namespace politex {
namespace {

constexpr int bench_rows = 10'000, bench_entries = 16;

/// Rows of a random walk in a plane, 16 tilings, `columns` features.
struct BenchRows {
  FeatureStructure structure;
  SparseRows rows;
  std::vector<double> targets;

  explicit BenchRows(int columns) {
    const auto side = static_cast<std::int64_t>(std::sqrt(columns / bench_entries));
    const Tiles map({{0.0, 1.0}, {0.0, 1.0}}, bench_entries, std::max<std::int64_t>(2, side));
    structure = {.blocks = 1, .width = map.columns(), .exclusive = 0};
    Rng rng(1);
    std::vector<double> at{0.5, 0.5};
    for (int r = 0; r < bench_rows; ++r) {
      for (double& each : at) each = std::clamp(each + 0.02 * rng.normal(), 0.0, 1.0);
      map.append(at, rows);
      targets.push_back(rng.normal() + 10.0 * at[0]);
    }
  }
};

void solve_phase(benchmark::State& state, Solver solver) {
  const BenchRows phase(static_cast<int>(state.range(0)));
  Regression regression(phase.structure, {.solver = solver, .tolerance = 1e-6});
  std::vector<double> w(static_cast<std::size_t>(phase.structure.width));
  for (auto _ : state) {
    // From 0, so that repetitions do the same.
    std::ranges::fill(w, 0.0);
    regression.reset();
    for (int r = 0; r < bench_rows; ++r)
      regression.add({0, phase.rows.indices(r), phase.rows.values(r)}, 1.0, phase.targets[static_cast<std::size_t>(r)]);
    regression.solve(1.0, w);
  }
  state.SetItemsProcessed(state.iterations() * bench_rows);
  state.counters["features"] = phase.structure.width;
  state.counters["iterations"] = static_cast<double>(regression.solved().iterations);
}

BENCHMARK_CAPTURE(solve_phase, direct, Solver::direct)->Arg(100)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_phase, sparse, Solver::sparse)
    ->RangeMultiplier(10)
    ->Range(100, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_phase, dual, Solver::dual)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_phase, iterative, Solver::iterative)
    ->RangeMultiplier(10)
    ->Range(100, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_phase, automatic, Solver::automatic)
    ->RangeMultiplier(10)
    ->Range(100, 1'000'000)
    ->Unit(benchmark::kMillisecond);

/// The limit: a temporal-difference update of 16 weights per step, from rows that are made already.
void plain_sarsa(benchmark::State& state) {
  const BenchRows phase(static_cast<int>(state.range(0)));
  std::vector<double> w(static_cast<std::size_t>(phase.structure.width), 0.0);
  for (auto _ : state) {
    double value = 0.0;
    for (int r = 0; r + 1 < bench_rows; ++r) {
      double next = 0.0;
      for (const std::int32_t index : phase.rows.indices(r + 1)) next += w[static_cast<std::size_t>(index)];
      const double step = 0.01 * (phase.targets[static_cast<std::size_t>(r)] + 0.9 * next - value);
      for (const std::int32_t index : phase.rows.indices(r)) w[static_cast<std::size_t>(index)] += step;
      value = next;
    }
    benchmark::DoNotOptimize(w.data());
  }
  state.SetItemsProcessed(state.iterations() * bench_rows);
}
BENCHMARK(plain_sarsa)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond);

/// Tiles of four coordinates, as many as 16 x 8^4, one row per item.
void tile_rows(benchmark::State& state) {
  const Tiles map(std::vector<Range>(4, {0.0, 1.0}),
                  {.tilings = 16, .tiles = 8, .memory = state.range(0), .groups = ""});
  Rng rng(1);
  std::vector<double> at{0.1, 0.2, 0.3, 0.4};
  SparseRows rows;
  for (auto _ : state) {
    at[0] = at[0] > 0.9 ? 0.0 : at[0] + 0.013;
    rows.first.resize(1);
    rows.index.clear();
    rows.value.clear();
    map.append(at, rows);
    benchmark::DoNotOptimize(rows.index.data());
  }
}
BENCHMARK(tile_rows)->Arg(0)->Arg(20'000);

}  // namespace
}  // namespace politex
