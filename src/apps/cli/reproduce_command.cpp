#include <fmt/format.h>

#include "commands.hpp"
#include "politex/lab/reproduce.hpp"

namespace politex::cli {

int reproduce_command(const ReproduceArguments& arguments) {
  lab::ReproduceOptions options;
  options.quick = arguments.quick;
  options.long_run = arguments.long_run;
  options.out = arguments.out;
  options.jobs = arguments.jobs;
  options.command = fmt::format("politex reproduce {}{}{}", arguments.figure, arguments.quick ? " --quick" : "",
                                arguments.long_run ? " --long" : "");
  return lab::find_figure(arguments.figure).reproduce(options);
}

}  // namespace politex::cli
