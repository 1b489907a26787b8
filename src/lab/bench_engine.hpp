// What the experiment engine costs: records, pictures and checkpoints beside the bare learner.
#pragma once

#include <string>

namespace politex::lab {

struct EngineBench {
  // CPU time of a FIGURE run in the engine, all threads, over that of the bare learner, less 1; and of a run ten times
  // as long, where what a run costs once (files, waiting for the disk) weighs less.
  double overhead = 0.0, overhead_long = 0.0;
  double checkpoint_ms = 0.0;  // of FIGURE's learner: state, file, and waiting for the disk
  double checkpoint_cpu_ms = 0.0;
};

/// Medians of pairs of runs, one after the other, so that what else the machine does meets both alike. Writes to a
/// directory of its own below the temporary directory and removes it.
EngineBench bench_engine();

std::string engine_bench_text(const EngineBench& result);

}  // namespace politex::lab
