// Speed, measured in one process on one core and reported as ratios to the bare step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "politex/bench/bench_clock.hpp"
#include "politex/bench/bench_engine.hpp"
#include "politex/bench/bench_neural.hpp"

namespace politex::inline bench {

struct BenchRow {
  std::string name;
  double ns_per_step = 0.0;
  double ratio = 0.0;              // to the bare step
  double aim_ns = 0.0;             // 0: none
  double ratio_to_compiled = 0.0;  // of the same learner on the compiled path; 0: this is that path
  double ratio_to_tuned = 0.0;     // the default learner's, to TUNED at the same N; 0: not the default learner

  double million_steps_per_second() const noexcept { return 1e3 / ns_per_step; }
};

struct BenchResult {
  double bare_ns = 0.0;           // policy lookup, random draw, next state, cost
  std::vector<BenchRow> presets;  // every curve of the DeepSea figure, N = 20, complete learner
  std::vector<BenchRow> general;  // two of them on the general path (algorithm.path = generic)
  std::optional<EngineBench> engine;
  std::vector<BenchRow> flat_in_steps;    // TUNED for growing T: the time per step must not grow
  std::vector<BenchRow> default_learner;  // algorithm.name = auto against TUNED, N = 20 and 50
  std::vector<BenchRow> evaluation;       // frozen policies, as politex evaluate --simulate walks them
  std::vector<NeuralBenchRow> neural;
};

/// The parts that can be measured separately.
enum class BenchPart { all, steps, engine, neural, cores, games };
/// Throws ConfigError for an unknown part; "" is all.
BenchPart bench_part(const std::string& name);

/// CPU times, best of several repetitions; takes about 90 seconds in total.
BenchResult run_bench(BenchPart part = BenchPart::all, const BenchEffort& effort = {});

std::string bench_text(const BenchResult& result);
std::string bench_json(const BenchResult& result);

}  // namespace politex::inline bench
