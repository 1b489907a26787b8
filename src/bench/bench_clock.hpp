// Clocks of the bench.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

#include "politex/base/thread_clock.hpp"

namespace politex::inline bench {

/// CPU time of this thread.
inline double cpu_seconds() { return thread_cpu_seconds(); }

/// CPU time of all threads.
inline double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest of several timings, because other work on the machine can only add time.
template <class Work>
double best_seconds(Work&& work, int repetitions = 5, double (*clock)() = cpu_seconds) {
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    const double begin = clock();
    work();
    best = std::min(best, clock() - begin);
  }
  return best;
}

}  // namespace politex::inline bench
