#include "signals.hpp"

#include <signal.h>

namespace politex::cli {
namespace {

// A signal handler can access only global variables; this one is lock-free, and only the handler writes to it.
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
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the next one has its default action
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Schedulers send it before the time limit, and mpirun forwards it to every rank without ending the job.
  sigaction(SIGUSR1, &action, nullptr);
  // A closed terminal, unless the signal is ignored, e.g. by nohup.
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
