// Speed of the neural learner on cartpole: learner compared with plain Eigen products, acting, environment.
#pragma once

#include <string>
#include <vector>

#include "politex/bench/bench_clock.hpp"

namespace politex::inline bench {

struct NeuralBenchRow {
  std::string name;
  double value = 0.0;
  std::string unit = {};     // "steps/s", "us/state", "x"
  double aim = 0.0;          // 0: none
  bool at_most = false;      // the aim is an upper bound
  std::string skipped = {};  // why nothing was measured
};

/// CPU time of one thread, best of five; takes about ten seconds.
std::vector<NeuralBenchRow> run_neural_bench(const BenchEffort& effort = {});

std::string neural_bench_text(const std::vector<NeuralBenchRow>& rows);

}  // namespace politex::inline bench
