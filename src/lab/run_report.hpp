// `politex report`: what the runs under some directories came to, as a page, as figures and as tables.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/comparison.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// What a report tells beside the runs themselves.
struct ReportExtras {
  std::string command;                             // how the user called us
  std::vector<std::filesystem::path> directories;  // what was reported; a tuning's record may stand there
  std::vector<std::string> figures = {};           // names of drawings beside the page
};

/// The whole report.html, below 5 MB for thousands of runs. The same runs give the same bytes.
std::string run_report_html(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                            const ReportExtras& extras);

struct ReportOptions {
  std::vector<std::filesystem::path> directories;
  std::filesystem::path out;  // empty: the only directory given, or results/report
  std::string command;        // how the user called us
};

/// Writes report.html, the tables (comparison, regret_terms, aggregates, improvement) as CSV and the figures; returns
/// the report's path. Throws ConfigError (no runs, nothing written) or Error.
std::filesystem::path write_run_report(const ReportOptions& options);

}  // namespace politex::lab
