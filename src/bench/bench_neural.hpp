// Speed of the neural learner on cartpole: learner compared with plain Eigen products, acting, environment, end to end.
#pragma once

#include <string>
#include <vector>

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
std::vector<NeuralBenchRow> run_neural_bench();

/// The figure's learner end to end, on one core and on two; takes about ten seconds.
void add_two_cores(std::vector<NeuralBenchRow>& rows);

std::string neural_bench_text(const std::vector<NeuralBenchRow>& rows);

}  // namespace politex::inline bench
