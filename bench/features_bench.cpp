// What steps with many features cost: collection with tiles next to the environment's own step, whole runs of
// EE-Politex by the number of features, and next to them differential Sarsa in plain C++, the limit for control.
// An item is a step. bench/many_features.py prints the ratios.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "politex/algorithm/block_collector.hpp"
#include "politex/env/block.hpp"
#include "politex/env/cartpole_balance.hpp"
#include "politex/env/mountain_car.hpp"
#include "politex/features/tiles.hpp"
#include "politex/policy/uniform.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/run.hpp"

namespace politex {
namespace {

constexpr std::int64_t steps_of_phase = 10'000;
constexpr TilesOptions four_dimensional{.tilings = 16, .tiles = 8, .memory = 0, .groups = {}};

std::vector<double> some_weights(int count) {
  Rng rng(7);
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (double& each : weights) each = 1e-3 * rng.normal();
  return weights;
}

/// Balancing a pole by random actions, and the observation after every step.
void own_step(benchmark::State& state) {
  const CartpoleBalance environment;
  Rng rng(1), actions(2);
  CartpoleBalance::State at = environment.start(rng);
  std::array<double, 4> seen{};
  for (auto _ : state)
    for (std::int64_t t = 0; t < steps_of_phase; ++t) {
      benchmark::DoNotOptimize(environment.step(at, static_cast<Action>(actions.bits() >> 63), rng));
      environment.observe(at, seen);
      benchmark::DoNotOptimize(seen);
    }
  state.SetItemsProcessed(state.iterations() * steps_of_phase);
}
BENCHMARK(own_step);

/// Rows of 16 x 8^4 tiles that are made already: each is copied, and its weights of both actions are summed.
void touch_tiles(benchmark::State& state) {
  const CartpoleBalance environment;
  const Tiles map(environment.space().ranges, four_dimensional);
  Rng rng(1), actions(2);
  CartpoleBalance::State at = environment.start(rng);
  std::array<double, 4> seen{};
  SparseRows rows;
  for (std::int64_t t = 0; t < steps_of_phase; ++t) {
    environment.step(at, static_cast<Action>(actions.bits() >> 63), rng);
    environment.observe(at, seen);
    map.append(seen, rows);
  }
  const std::vector<double> weights = some_weights(2 * map.columns());
  SparseRows copied;
  for (auto _ : state) {
    copied.first.resize(1);
    copied.index.clear();
    copied.value.clear();
    for (int r = 0; r < rows.rows(); ++r) {
      const auto indices = rows.indices(r);
      const auto values = rows.values(r);
      std::array<double, 2> total{};
      for (std::size_t k = 0; k < indices.size(); ++k) {
        copied.append(indices[k], values[k]);
        total[0] += values[k] * weights[static_cast<std::size_t>(indices[k])];
        total[1] += values[k] * weights[static_cast<std::size_t>(map.columns() + indices[k])];
      }
      copied.end_row();
      benchmark::DoNotOptimize(total);
    }
  }
  state.SetItemsProcessed(state.iterations() * steps_of_phase);
}
BENCHMARK(touch_tiles);

/// CollectData with the same tiles: features, the Boltzmann policy of the weights, the step, and what a phase keeps.
void collect_tiles(benchmark::State& state) {
  const CartpoleBalance environment;
  auto map = std::make_unique<Tiles>(environment.space().ranges, four_dimensional);
  const std::vector<double> weights = some_weights(2 * map->columns());
  BlockCollector collector(std::make_unique<BlockOf<CartpoleBalance>>(environment, 1), std::move(map),
                           std::make_shared<UniformExplorer>(2), 1);
  collector.follow(Rule::boltzmann(0.1), weights);
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 1, .follow = steps_of_phase - 1};
  for (auto _ : state)
    benchmark::DoNotOptimize(collector.collect({.lengths = lengths, .steps = steps_of_phase}).costs.data());
  state.SetItemsProcessed(state.iterations() * steps_of_phase);
}
BENCHMARK(collect_tiles);

/// A run of experiments/control/`file` from its first step to its last.
void run_with(benchmark::State& state, const char* file, const std::vector<std::string>& overrides) {
  const Config config = read_config(std::string("experiments/control/") + file, overrides).config;
  Summary summary;
  for (auto _ : state) {
    state.PauseTiming();
    std::unique_ptr<Run> run = make_run(config);
    state.ResumeTiming();
    while (!run->done()) run->advance();
    state.PauseTiming();
    summary = run->summary();
    run.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * config.steps);
  if (summary.solver) {
    state.SetLabel(solver_text(*summary.solver));
    state.counters["cg"] = static_cast<double>(summary.solver->iterations);
  }
}
const std::vector<std::string> mountain_car_tiles = {"steps=1000000", "features.tilings=16", "features.tiles=16"};
const std::vector<std::string> acrobot_tiles = {"steps=480000", "environment.name=acrobot", "features.tilings=16",
                                                "features.tiles=8", "features.memory=100000"};
BENCHMARK_CAPTURE(run_with, mountain_car, "ee_politex.toml", mountain_car_tiles);
BENCHMARK_CAPTURE(run_with, mountain_car_sarsa, "differential_sarsa.toml", mountain_car_tiles);
BENCHMARK_CAPTURE(run_with, acrobot, "ee_politex.toml", acrobot_tiles);

/// 480,000 steps of acrobot with 16 tilings of 8^6 cells, hashed to that many features: equal nonzeros.
void run_wide(benchmark::State& state) {
  run_with(state, "ee_politex.toml",
           {"steps=480000", "environment.name=acrobot", "features.tilings=16", "features.tiles=8",
            "features.memory=" + std::to_string(state.range(0))});
}
BENCHMARK(run_wide)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

/// Differential Sarsa, epsilon-greedy, on 16 tilings of 16 x 16 of mountain car, without any of our features, learners
/// or loops; the environment is ours.
void plain_sarsa(benchmark::State& state) {
  constexpr int tilings = 16, side = 16, columns = tilings * side * side, actions = 3;
  const MountainCar environment(1'000'000'000);
  const Space space = environment.space();
  std::vector<double> weights(static_cast<std::size_t>(actions * columns), 0.0);
  Rng rng(1), draws(2);
  MountainCar::State at = environment.start(rng);
  std::array<double, 2> seen{};
  std::array<int, tilings> now{}, next{};
  const auto look = [&](std::array<int, tilings>& into) {
    environment.observe(at, seen);
    std::array<double, 2> position;
    for (std::size_t k = 0; k < 2; ++k)
      position[k] =
          std::clamp((seen[k] - space.ranges[k].low) / (space.ranges[k].high - space.ranges[k].low), 0.0, 1.0) *
          (side - 1);
    for (int tiling = 0; tiling < tilings; ++tiling) {
      const int one = std::min(side - 1, static_cast<int>(position[0] + tiling / double{tilings}));
      const int two = std::min(side - 1, static_cast<int>(position[1] + 3 * tiling % tilings / double{tilings}));
      into[static_cast<std::size_t>(tiling)] = (tiling * side + one) * side + two;
    }
  };
  const auto choose = [&](const std::array<int, tilings>& tiles, double& value) {
    std::array<double, actions> q{};
    for (int a = 0; a < actions; ++a)
      for (const int tile : tiles)
        q[static_cast<std::size_t>(a)] += weights[static_cast<std::size_t>(a * columns + tile)];
    auto best = static_cast<std::size_t>(std::ranges::min_element(q) - q.begin());
    if (draws.uniform() < 0.05) best = static_cast<std::size_t>(draws.below(actions));
    value = q[best];
    return static_cast<int>(best);
  };
  double average = 1.0, value = 0.0, next_value = 0.0;
  look(now);
  int action = choose(now, value);
  for (auto _ : state)
    for (std::int64_t t = 0; t < steps_of_phase; ++t) {
      const double cost = environment.step(at, action, rng).cost;
      look(next);
      const int next_action = choose(next, next_value);
      const double error = cost - average + next_value - value;
      average += 1e-3 * error;
      for (const int tile : now) weights[static_cast<std::size_t>(action * columns + tile)] += 0.3 / tilings * error;
      now = next;
      action = next_action;
      value = next_value;
    }
  benchmark::DoNotOptimize(average);
  state.SetItemsProcessed(state.iterations() * steps_of_phase);
}
BENCHMARK(plain_sarsa);

}  // namespace
}  // namespace politex
