// A small job pool: numbered jobs over threads. Results belong to the job's number, never to a thread.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace politex::lab {

/// `jobs` as given, or the number of cores this process may use when it is 0; throws ConfigError below 0.
int resolve_jobs(int jobs);

/// Calls job(i) once for every i in `order`, in that order, on up to `jobs` threads. After the first exception no new
/// job begins; when all have ended, the exception of the job that stands first in `order` is thrown again.
void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job);

/// The same, where other processes work on the same `order`: `next` gives every place in it once among all of them.
void run_jobs(std::span<const std::size_t> order, int jobs, const std::function<void(std::size_t)>& job,
              const std::function<std::size_t()>& next);

}  // namespace politex::lab
