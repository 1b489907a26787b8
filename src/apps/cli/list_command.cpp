#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/record/live_line.hpp"
#include "politex/report/list.hpp"
#include "politex/report/reference.hpp"
#include "politex/studies/catalogue.hpp"

namespace politex::cli {

void print_message(const std::string& text) { show_text(stderr, fmt::format("politex: {}\n", text)); }

void print_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) {  // the reader closed the pipe: end silently, like other programs
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw Error(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

int list_command(const ListOptions& options) {
  if (options.markdown) {
    print_out(reference_markdown(choices_of(all_figures())));
    return 0;
  }
  print_out(options.json ? list_json(options.topic, choices_of(all_figures())) + "\n"
                         : list_text(options.topic, choices_of(all_figures())));
  return 0;
}

}  // namespace politex::cli
