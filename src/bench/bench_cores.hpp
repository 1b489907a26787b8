// Speed of the neural learner end to end, on one core and on two.
#pragma once

#include <vector>

#include "politex/bench/bench_neural.hpp"

namespace politex::inline bench {

/// What is measured: three phases with a full ring of networks, always the same ones, in several rounds.
struct CoreTimes {
  double steps = 0.0;  // of those phases
  // Per round: a run on one thread, one with an acting thread, and two simultaneous runs on one thread each.
  std::vector<double> one_cpu, one_wall, two_wall, both_wall;
  std::vector<double> learner_share;         // of one_cpu: work that no other thread can do
  std::vector<double> ordered;               // speed-up possible with the required order of the work
  std::vector<double> learner_cpu, act_cpu;  // of the two threads
  std::vector<double> own_share;             // of learner_cpu: work that only the learner can do
  std::vector<double> one_rows, two_rows;    // stale policies that the learner's thread computed
};

/// The rows that follow from the times; without times of a second core, those of one core.
std::vector<NeuralBenchRow> core_rows(const CoreTimes& times);

/// Measures the learner of the cartpole figure; takes about ten seconds.
void add_two_cores(std::vector<NeuralBenchRow>& rows, const BenchEffort& effort = {});

}  // namespace politex::inline bench
