#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/list.hpp"
#include "politex/lab/live_line.hpp"

namespace politex::cli {

namespace fs = std::filesystem;

fs::path experiments_directory() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place :
       {program / "../experiments", program / "../share/politex/experiments", fs::path("experiments")})
    if (fs::is_directory(place, error)) return place.lexically_normal();
  return "experiments";
}

void tell(const std::string& text) { lab::show_text(stderr, fmt::format("politex: {}\n", text)); }

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) {  // as any program in a pipe whose reader has seen enough
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

int list_command(const ListOptions& options) {
  const fs::path experiments = experiments_directory();
  print_out(options.json ? lab::list_json(options.topic, experiments) + "\n"
                         : lab::list_text(options.topic, experiments));
  return 0;
}

}  // namespace politex::cli
