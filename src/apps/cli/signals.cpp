#include "signals.hpp"

#include <signal.h>

namespace politex::cli {
namespace {

// A signal handler can reach nothing but a global; it is lock-free, and nothing else writes to it.
std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void handle(int signal) {
  caught_signal.store(signal == SIGINT ? SIGINT : SIGTERM, std::memory_order_relaxed);  // 130 or 143
}

}  // namespace

StopSignals::StopSignals() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the next one is deadly again
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // What schedulers send before the limit, and mpirun hands on to every rank without ending the job itself.
  sigaction(SIGUSR1, &action, nullptr);
  // A terminal that is closed, unless nohup or its like said that it does not matter.
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGUSR1, SIG_DFL);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler == handle) std::signal(SIGHUP, SIG_DFL);
}

const std::atomic<int>& StopSignals::caught() const noexcept { return caught_signal; }

}  // namespace politex::cli
