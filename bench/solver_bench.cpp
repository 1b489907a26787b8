// Time of one phase of least squares by solver, number of features and number of rows, of 16 indicators each, as of
// tiles. bench/many_features.py prints them next to SciPy and scikit-learn, which solve the same systems.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "politex/features/tiles.hpp"
#include "politex/solvers/regression.hpp"

namespace politex {
namespace {

constexpr int bench_entries = 16;

/// Rows of a random walk in a plane, 16 tilings, about `columns` features. many_features.py has the same walk.
struct BenchRows {
  FeatureStructure structure;
  SparseRows rows;
  std::vector<double> targets;

  BenchRows(std::int64_t columns, std::int64_t count) {
    const auto side = static_cast<std::int64_t>(std::sqrt(columns / bench_entries));
    const Tiles map({{0.0, 1.0}, {0.0, 1.0}}, bench_entries, std::max<std::int64_t>(2, side));
    structure = {.blocks = 1, .width = map.columns(), .exclusive = 0};
    std::uint64_t draw = 1;
    const auto uniform = [&draw] {
      draw = draw * 6364136223846793005U + 1442695040888963407U;
      return static_cast<double>(draw >> 11) * 0x1p-53;
    };
    std::vector<double> at{0.5, 0.5};
    for (std::int64_t r = 0; r < count; ++r) {
      for (double& each : at) each = std::clamp(each + 0.07 * (uniform() - 0.5), 0.0, 1.0);
      map.append(at, rows);
      targets.push_back(uniform() - 0.5 + 10.0 * at[0]);
    }
  }
};

void solve_phase(benchmark::State& state, Solver solver) {
  const BenchRows phase(state.range(0), state.range(1));
  Regression regression(phase.structure, {.solver = solver, .tolerance = 1e-6});
  std::vector<double> w(static_cast<std::size_t>(phase.structure.width));
  for (auto _ : state) {
    // From 0, so that repetitions do the same.
    std::ranges::fill(w, 0.0);
    regression.reset();
    for (int r = 0; r < phase.rows.rows(); ++r)
      regression.add({0, phase.rows.indices(r), phase.rows.values(r)}, 1.0, phase.targets[static_cast<std::size_t>(r)]);
    regression.solve(1.0, w);
  }
  state.SetItemsProcessed(state.iterations() * state.range(1));
  state.counters["features"] = phase.structure.width;
  state.counters["cg"] = static_cast<double>(regression.solved().iterations);
  for (const Solver each : {Solver::direct, Solver::sparse, Solver::dual, Solver::iterative})
    if (regression.solved().by(each) > 0) state.SetLabel(std::string(name_of(each)));
}

/// Up to `most` features, for phases of 1,000 and of 10,000 rows.
template <int most>
void solver_sizes(benchmark::internal::Benchmark* bench) {
  for (const int rows : {1'000, 10'000})
    for (int columns = 100; columns <= most; columns *= 10) bench->Args({columns, rows});
  bench->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(solve_phase, direct, Solver::direct)->Apply(solver_sizes<1'000>);
BENCHMARK_CAPTURE(solve_phase, sparse, Solver::sparse)->Apply(solver_sizes<1'000'000>);
BENCHMARK_CAPTURE(solve_phase, iterative, Solver::iterative)->Apply(solver_sizes<1'000'000>);
BENCHMARK_CAPTURE(solve_phase, automatic, Solver::automatic)->Apply(solver_sizes<1'000'000>);
// A system of as many unknowns as different rows: 10,000 of them are minutes.
BENCHMARK_CAPTURE(solve_phase, dual, Solver::dual)
    ->ArgsProduct({{100, 1'000, 10'000, 100'000, 1'000'000}, {1'000}})
    ->Unit(benchmark::kMillisecond);

/// Tiles of four coordinates, as many as 16 x 8^4, one row per item.
void tile_rows(benchmark::State& state) {
  const Tiles map(std::vector<Range>(4, {0.0, 1.0}),
                  {.tilings = 16, .tiles = 8, .memory = state.range(0), .groups = ""});
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
