#include "politex/base/pool.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline base {

int resolve_jobs(int jobs) {
  if (jobs < 0) throw ConfigError("--jobs", fmt::format("{} threads; accepted: 0 (all cores) or more", jobs));
  if (jobs > 0) return jobs;
  cpu_set_t allowed;  // containers and taskset allow fewer cores than the machine has
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job) {
  std::atomic<std::size_t> taken = 0;
  run_jobs(order, jobs, job, [&] { return taken++; });
}

void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job,
              const std::function<std::size_t()>& next) {
  std::vector<std::exception_ptr> failures(order.size());
  std::atomic<bool> failed = false;
  const auto work = [&] {
    while (!failed) {
      const std::size_t place = next();
      if (place >= order.size()) return;
      try {
        job(order[place]);
      } catch (...) {
        failures[place] = std::current_exception();
        failed = true;
      }
    }
  };
  const auto helpers = std::min(static_cast<std::size_t>(std::max(1, resolve_jobs(jobs))), order.size());
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {  // the threads that were started do all the work, with the same results
    }
    work();
  }
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace politex::inline base
