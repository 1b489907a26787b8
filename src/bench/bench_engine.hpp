// The overhead of the experiment engine (records, pictures, checkpoints) over the bare learner.
#pragma once

#include <string>
#include <vector>

#include "politex/bench/bench_clock.hpp"

namespace politex::inline bench {

/// Additional time of a run by the engine as a share of the bare run. A pair is a bare run and a run by the engine, one
/// after the other, in alternating order.
struct Overhead {
  double median = 0.0;           // over the pairs
  double low = 0.0, high = 0.0;  // 95% interval of the median for any distribution, from order statistics
  double least = 0.0;            // the shortest time compared with the shortest bare time
};

/// From the overheads of the pairs, in any order, and the two shortest times.
Overhead overhead_of_pairs(std::vector<double> pairs, double least_bare, double least_driven);

struct EngineBench {
  struct Clocks {
    Overhead learner;  // CPU time of the learner's thread
    Overhead all;      // CPU time of all threads: a second one prints the rows of longer runs
    Overhead wall;     // wall time, including waiting for the disk
  };
  Clocks short_run;             // FIGURE: its phases take microseconds, so one row per phase is most expensive there
  Clocks long_run;              // ten times as long: the fixed cost of a run (files, waiting for the disk) counts less
  Overhead whole_figure;        // CPU time of every curve and size of the preset together
  double figure_seconds = 0.0;  // shortest total CPU time of the bare runs
  double bare_ms = 0.0;         // shortest CPU time of the bare FIGURE run
  double checkpoint_ms = 0.0;   // of FIGURE's learner: state, file, and waiting for the disk
  double checkpoint_cpu_ms = 0.0;
};

/// Writes to a new temporary directory and removes it.
EngineBench bench_engine(const BenchEffort& effort = {});

std::string engine_bench_text(const EngineBench& result);

}  // namespace politex::inline bench
