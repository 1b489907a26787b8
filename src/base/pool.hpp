// A small thread pool for numbered jobs. Results belong to the number of the job, never to a thread.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace politex::inline base {

/// Returns `jobs`, or for 0 the number of cores that this process may use. Throws ConfigError below 0.
int resolve_jobs(int jobs);

/// Calls job(i) once for every i in `order`, in that order, on up to `jobs` threads. After the first exception no new
/// job starts; when all have ended, the exception of the failed job that comes first in `order` is rethrown.
void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job);

/// The same where several processes share `order`: `next` returns each position once over all processes.
void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job,
              const std::function<std::size_t()>& next);

}  // namespace politex::inline base
