#include "signals.hpp"

#include <signal.h>

namespace politex::cli {
namespace {

// A signal handler can reach nothing but a global; it is lock-free, and nothing else writes to it.
std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void handle(int signal) { caught_signal.store(signal, std::memory_order_relaxed); }

}  // namespace

StopSignals::StopSignals() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the next one is deadly again
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<int>& StopSignals::caught() const noexcept { return caught_signal; }

}  // namespace politex::cli
