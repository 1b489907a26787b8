#include <fmt/format.h>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/reproduce.hpp"
#include "signals.hpp"

namespace politex::cli {

int reproduce_command(const ReproduceArguments& arguments) {
  lab::ReproduceOptions options;
  options.quick = arguments.quick;
  options.long_run = arguments.long_run;
  options.out = arguments.out;
  if (arguments.seeds != 0 && (arguments.seeds < 2 || arguments.seeds > 1000))
    throw ConfigError{"--seeds", fmt::format("{} is not accepted; accepted: 2 to 1000", arguments.seeds)};
  options.seeds = arguments.seeds;
  options.compare = arguments.compare;
  options.jobs = arguments.jobs;
  const StopSignals signals;
  options.stop = &signals.caught();
  options.command = fmt::format("politex reproduce {}{}{}{}{}", arguments.figure, arguments.quick ? " --quick" : "",
                                arguments.long_run ? " --long" : "", arguments.compare ? " --compare" : "",
                                arguments.seeds != 0 ? fmt::format(" --seeds {}", arguments.seeds) : "");
  const lab::Figure& figure = lab::find_figure(arguments.figure);
  try {
    const int status = figure.reproduce(options);
    if (signals.caught() == 0) return status;
  } catch (const Error&) {
    if (signals.caught() == 0) throw;
  }
  fmt::print(stderr, "politex: stopped; to go on, say the same command again\n");
  return 128 + signals.caught();
}

}  // namespace politex::cli
