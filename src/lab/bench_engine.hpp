// What the experiment engine costs: records, pictures and checkpoints beside the bare learner.
#pragma once

#include <string>
#include <vector>

namespace politex::lab {

/// What a run by the engine takes beyond the bare one, as a share of the bare one. A pair is a bare run and one by the
/// engine, one after the other and in turn the first.
struct Overhead {
  double median = 0.0;           // over the pairs
  double low = 0.0, high = 0.0;  // 95% of the medians, whatever the law of the pairs: order statistics
  double least = 0.0;            // the least time of all against the least of all bare ones
};

/// Of pairs' overheads, in any order, and of the two least times.
Overhead overhead_of_pairs(std::vector<double> pairs, double least_bare, double least_driven);

struct EngineBench {
  struct Clocks {
    Overhead learner;  // CPU time of the learner's thread
    Overhead all;      // CPU time of all threads: another one prints the rows of longer runs
    Overhead wall;     // with what it waits for the disk
  };
  Clocks short_run;             // FIGURE, whose phases take some microseconds: a row each weighs most there
  Clocks long_run;              // ten times as long: what a run costs once (files, waiting for the disk) weighs less
  Overhead whole_figure;        // CPU time of every curve and size of the preset together
  double figure_seconds = 0.0;  // least CPU time of all of them, bare
  double bare_ms = 0.0;         // least CPU time of the bare FIGURE run
  double checkpoint_ms = 0.0;   // of FIGURE's learner: state, file, and waiting for the disk
  double checkpoint_cpu_ms = 0.0;
};

/// Writes to a directory of its own below the temporary directory and removes it.
EngineBench bench_engine();

std::string engine_bench_text(const EngineBench& result);

}  // namespace politex::lab
