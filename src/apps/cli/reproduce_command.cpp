#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/reproduce.hpp"
#include "signals.hpp"

namespace politex::cli {

namespace {

/// Every figure, each in a directory of its own below --out.
int reproduce_all(const ReproduceArguments& arguments) {
  int status = 0;
  for (const lab::Figure& figure : lab::figures()) {
    ReproduceArguments one = arguments;
    one.figure = figure.name;
    if (!arguments.out.empty()) one.out = (std::filesystem::path(arguments.out) / figure.name).string();
    one.compare = false;
    print_out(fmt::format("== {}\n", figure.name));
    try {
      const int now = reproduce_command(one);
      if (now >= 128) return now;
      status = std::max(status, now);
    } catch (const Error& error) {
      // The others are still worth having; a missing package concerns one.
      tell(fmt::format("{}: {}", figure.name, error.what()));
      status = 1;
    }
  }
  return status;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments) {
  if (arguments.figure == "all") return reproduce_all(arguments);
  lab::ReproduceOptions options;
  options.quick = arguments.quick;
  options.long_run = arguments.long_run;
  options.out = arguments.out;
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
  tell("stopped; to go on, say the same command again");
  return 128 + signals.caught();
}

}  // namespace politex::cli
