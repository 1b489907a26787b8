// `politex report`: what the runs under some directories came to, as a page, as figures and as tables.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/comparison.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// The whole report.html. `figures` are the names of drawings beside it. The same runs give the same bytes.
std::string run_report_html(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                            std::span<const std::string> figures, const std::string& command);

/// One row per group.
std::string comparison_csv(std::span<const RunRecord> runs, std::span<const RunGroup> groups);

struct ReportOptions {
  std::vector<std::filesystem::path> directories;
  std::filesystem::path out;  // empty: the only directory given, or results/report
  std::string command;        // how the user called us
};

/// Writes report.html, comparison.csv and the figures; returns the report's path. Throws ConfigError (no
/// runs, nothing written) or Error.
std::filesystem::path write_run_report(const ReportOptions& options);

}  // namespace politex::lab
