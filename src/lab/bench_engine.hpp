// What the experiment engine costs: records, pictures and checkpoints beside the bare learner.
#pragma once

#include <string>

namespace politex::lab {

struct EngineBench {
  struct Overhead {
    double all = 0.0;      // CPU time of all threads over that of the bare learner, less 1
    double learner = 0.0;  // the same of the learner's thread; another one prints rows and pictures
  };
  Overhead short_run;          // FIGURE, whose phases take some microseconds: a row each weighs most there
  Overhead long_run;           // ten times as long: what a run costs once (files, waiting for the disk) weighs less
  double checkpoint_ms = 0.0;  // of FIGURE's learner: state, file, and waiting for the disk
  double checkpoint_cpu_ms = 0.0;
};

/// Medians of pairs of runs, one after the other, so that what else the machine does meets both alike. Writes to a
/// directory of its own below the temporary directory and removes it.
EngineBench bench_engine();

std::string engine_bench_text(const EngineBench& result);

}  // namespace politex::lab
