#include <fmt/format.h>

#include "commands.hpp"
#include "politex/lab/live_line.hpp"
#include "politex/lab/serve.hpp"
#include "signals.hpp"

namespace politex::cli {

int serve_command(const ServeArguments& arguments) {
  const StopSignals signals;
  lab::ServeOptions options;
  options.directory = arguments.directory;
  options.host = arguments.host;
  options.port = arguments.port;
  options.stop = &signals.caught();
  options.ready = [&](int port) {
    lab::show_text(stderr, fmt::format("{} shows the runs under {}; Ctrl-C ends it\n",
                                       lab::address_of(arguments.host, port), arguments.directory));
  };
  lab::serve(options);
  return 0;
}

}  // namespace politex::cli
