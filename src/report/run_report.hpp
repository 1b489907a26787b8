// `politex report`: the results of the runs below some directories as a page, figures and tables.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/record/run_record.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// Content of a report in addition to the runs.
struct ReportExtras {
  std::string command;                             // the user's command
  std::vector<std::filesystem::path> directories;  // the reported directories, for records of tunings
  std::vector<std::string> figures = {};           // names of drawings in the directory of the page
};

/// The text of report.html, below 5 MB even for thousands of runs. The same runs give the same bytes.
std::string run_report_html(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                            const ReportExtras& extras);

struct ReportOptions {
  std::vector<std::filesystem::path> directories;
  std::filesystem::path out;  // empty: the directory if only one is given, else results/report
  std::string command;        // the user's command
};

/// Writes report.html, the tables (comparison, regret_terms, aggregates, improvement) as CSV and the figures; returns
/// the report's path. Throws ConfigError (no runs, nothing written) or Error.
std::filesystem::path write_run_report(const ReportOptions& options);

}  // namespace politex::inline report
