// How the bench measures time, and how much it measures.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <vector>

#include "politex/base/thread_clock.hpp"

namespace politex::inline bench {

/// How much is measured. Tests measure less: their numbers mean nothing, but they are computed in the same way.
struct BenchEffort {
  int repetitions = 5;
  double share = 1.0;  // of the steps and rounds of every measurement

  std::int64_t of(std::int64_t count, std::int64_t at_least = 1) const {
    return std::max(at_least, static_cast<std::int64_t>(share * static_cast<double>(count)));
  }
};

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
double best_seconds(Work&& work, int repetitions = BenchEffort{}.repetitions) {
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    const double begin = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

/// The middle one; of an even number the larger of the two.
inline double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace politex::inline bench
