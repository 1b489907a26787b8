// CPU time of the calling thread.
#pragma once

#include <ctime>

namespace politex::inline base {

inline double thread_cpu_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Adds up the CPU time of parts of a thread's work. Off by default, because reading the CPU time is a system call.
class PartClock {
 public:
  void switch_on() noexcept { on_ = true; }
  double seconds() const noexcept { return seconds_; }
  template <class Work>
  void time(Work&& work) {
    const double begin = on_ ? thread_cpu_seconds() : 0.0;
    work();
    if (on_) seconds_ += thread_cpu_seconds() - begin;
  }

 private:
  bool on_ = false;
  double seconds_ = 0.0;
};

}  // namespace politex::inline base
