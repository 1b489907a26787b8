// Speed of the neural learner on cartpole: the learner beside plain Eigen products, acting, the environment, all of it.
#pragma once

#include <string>
#include <vector>

namespace politex::lab {

struct NeuralBenchRow {
  std::string name;
  double value = 0.0;
  std::string unit = {};     // "steps/s", "us a state", "x"
  double aim = 0.0;          // 0: none stated
  bool at_most = false;      // the aim is an upper bound
  std::string skipped = {};  // why nothing was measured
};

/// One thread and its CPU time, best of five; about ten seconds.
std::vector<NeuralBenchRow> run_neural_bench();

/// The figure's learner end to end, on one core and on two; about ten seconds.
void add_two_cores(std::vector<NeuralBenchRow>& rows);

std::string neural_bench_text(const std::vector<NeuralBenchRow>& rows);

}  // namespace politex::lab
