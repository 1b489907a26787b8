// Catches SIGINT, SIGTERM, SIGHUP and SIGUSR1 as a flag during the lifetime of the object. A second signal kills the
// program.
#pragma once

#include <atomic>
#include <csignal>

namespace politex::cli {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// 0, or the number of the caught signal; SIGHUP and SIGUSR1 count as SIGTERM.
  const std::atomic<int>& caught() const noexcept;
};

}  // namespace politex::cli
