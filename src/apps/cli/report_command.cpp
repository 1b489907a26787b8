#include <fmt/format.h>

#include "commands.hpp"
#include "politex/base/files.hpp"
#include "politex/page/plot.hpp"
#include "politex/report/run_report.hpp"

namespace politex::cli {

int report_command(const ReportArguments& arguments) {
  ReportOptions options;
  options.command = "politex report";
  for (const std::string& directory : arguments.directories) {
    options.directories.emplace_back(directory);
    options.command += fmt::format(" {}", shell_word(directory));
  }
  if (!arguments.out.empty()) options.command += fmt::format(" --out {}", shell_word(arguments.out));
  options.out = arguments.out;
  if (!has_gnuplot()) print_message(without_gnuplot);
  print_out(
      fmt::format("report: {}\n", std::filesystem::absolute(write_run_report(options)).lexically_normal().string()));
  return 0;
}

}  // namespace politex::cli
