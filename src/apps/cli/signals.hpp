// SIGINT, SIGTERM, SIGHUP and SIGUSR1 as a flag, for as long as the object lives. The second signal ends the program at
// once.
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

  /// 0, or the number of the signal that came; SIGHUP and SIGUSR1 count as SIGTERM.
  const std::atomic<int>& caught() const noexcept;
};

}  // namespace politex::cli
