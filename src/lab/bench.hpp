// Speed, measured in one go on one core and told as ratios: the bare step is the limit that everything else is held to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "politex/lab/bench_engine.hpp"
#include "politex/lab/bench_neural.hpp"

namespace politex::lab {

struct BenchRow {
  std::string name;
  double ns_per_step = 0.0;
  double ratio = 0.0;   // to the bare step
  double aim_ns = 0.0;  // 0: none stated
};

struct BenchResult {
  double bare_ns = 0.0;           // policy lookup, random draw, next state, cost
  std::vector<BenchRow> presets;  // every curve of the DeepSea figure, N = 20, all-in
  std::optional<EngineBench> engine;
  std::vector<BenchRow> flat_in_steps;  // TUNED at growing T: the cost of a step must not grow
  std::vector<NeuralBenchRow> neural;
};

/// The parts that can be measured alone.
enum class BenchPart { all, steps, engine, neural, cores, games };
/// Throws ConfigError for what is no part; "" is all.
BenchPart bench_part(const std::string& name);

/// Best of several repetitions of CPU time each; about a minute and a half in all.
BenchResult run_bench(BenchPart part = BenchPart::all);

std::string bench_text(const BenchResult& result);
std::string bench_json(const BenchResult& result);

}  // namespace politex::lab
