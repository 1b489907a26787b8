// A process that cannot start threads.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

namespace politex {

/// Runs `part` in a child process that cannot start threads. Returns its result, minus the signal that killed it, or
/// nothing if no such process can be created. Root may always start threads, so the child becomes another user.
inline std::optional<int> without_threads(const std::function<int()>& part) {
  constexpr int not_made = 100;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    const bool made = (getuid() != 0 || setuid(65534) == 0) && setrlimit(RLIMIT_NPROC, &none) == 0;
    _exit(made ? part() : not_made);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return std::nullopt;
  if (!WIFEXITED(status)) return -WTERMSIG(status);
  return WEXITSTATUS(status) == not_made ? std::nullopt : std::optional(WEXITSTATUS(status));
}

}  // namespace politex
