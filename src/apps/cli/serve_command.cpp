#include <fmt/format.h>

#include "commands.hpp"
#include "politex/record/live_line.hpp"
#include "politex/serve/serve.hpp"
#include "signals.hpp"

namespace politex::cli {

int serve_command(const ServeArguments& arguments) {
  const StopSignals signals;
  ServeOptions options;
  options.directory = arguments.directory;
  options.host = arguments.host;
  options.port = arguments.port;
  options.stop = &signals.caught();
  options.token = arguments.token.empty() && !is_loopback(arguments.host) ? new_token() : arguments.token;
  options.ready = [&](int port) {
    const std::string token = options.token.empty() ? "" : fmt::format("?token={}", options.token);
    show_text(stderr, fmt::format("{}{} shows the runs below {}; press Ctrl-C to stop\n",
                                  address_of(arguments.host, port), token, arguments.directory));
  };
  serve_directory(options);
  return 0;
}

}  // namespace politex::cli
