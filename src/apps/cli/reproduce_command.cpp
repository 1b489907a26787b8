#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/page/plot.hpp"
#include "politex/studies/catalogue.hpp"
#include "signals.hpp"

namespace politex::cli {

namespace {

/// Reproduces every figure, each in a separate directory below --out.
int reproduce_all(const ReproduceArguments& arguments) {
  int status = 0;
  for (const Figure& figure : all_figures()) {
    ReproduceArguments one = arguments;
    one.figure = figure.name;
    if (!arguments.out.empty()) one.out = (std::filesystem::path(arguments.out) / figure.name).string();
    one.compare = one.difficulty = false;
    print_out(fmt::format("== {}\n", figure.name));
    try {
      const int now = reproduce_command(one);
      if (now >= 128) return now;
      status = std::max(status, now);
    } catch (const Error& error) {
      // Continue with the others: a missing package affects only one figure.
      print_message(fmt::format("{}: {}", figure.name, error.what()));
      status = 1;
    }
  }
  return status;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments) {
  if (arguments.figure == "all") return reproduce_all(arguments);
  FigureOptions options;
  options.quick = arguments.quick;
  options.long_run = arguments.long_run;
  options.out = arguments.out;
  options.seeds = arguments.seeds;
  options.compare = arguments.compare;
  options.difficulty = arguments.difficulty;
  options.jobs = arguments.jobs;
  const StopSignals signals;
  options.stop = &signals.caught();
  options.command = fmt::format("politex reproduce {}{}{}{}{}{}", arguments.figure, arguments.quick ? " --quick" : "",
                                arguments.long_run ? " --long" : "", arguments.compare ? " --compare" : "",
                                arguments.difficulty ? " --difficulty" : "",
                                arguments.seeds != 0 ? fmt::format(" --seeds {}", arguments.seeds) : "");
  const Figure& figure = find_figure(arguments.figure);
  if (!has_gnuplot()) print_message(without_gnuplot);
  try {
    if (reproduce(figure, options)) return 0;
  } catch (const Error&) {
    if (signals.caught() == 0) throw;
  }
  print_message("stopped; to resume, rerun the same command");
  return 128 + signals.caught();
}

}  // namespace politex::cli
