// What a figure is: cells, which the sweep runs, and a report, which is made of the finished cells. Each figure has a
// folder, whose figure.cpp ends in its entry, and one line in catalogue.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "politex/page/html.hpp"
#include "politex/page/plot.hpp"
#include "politex/report/claims.hpp"
#include "politex/run/config.hpp"

namespace politex::inline figures {

struct FigureOptions {
  bool quick = false;                // fewer seeds and sizes, shorter runs; the report says so
  bool long_run = false;             // --long, for figures that have a longer variant
  bool compare = false;              // --compare, for figures that have variants to compare
  bool difficulty = false;           // --difficulty, for figures whose environment has one
  int seeds = 0;                     // how many; 0: the figure's own number
  int jobs = 0;                      // threads; 0: all cores. Does not affect results
  std::filesystem::path out;         // empty: results/<figure>
  std::string command;               // how the user started the program, for the report; empty: made from the options
  std::ostream* messages = nullptr;  // for the verdicts; nullptr: standard output. Progress is written to stderr
  const std::atomic<int>* stop = nullptr;  // becomes a signal's number when the figure should stop
};

/// Figures are judged on seeds that no preset was chosen on: 1001, 1002, ...
constexpr std::uint64_t first_judged_seed = 1001;
constexpr std::uint64_t judged_seed(int i) { return first_judged_seed + static_cast<std::uint64_t>(i); }

/// One run: a file of experiments/, overrides and a seed.
struct Cell {
  std::string name;                    // of its directory in runs/
  std::string experiment;              // "deep_sea/figure.toml"
  std::vector<std::string> overrides;  // "environment.size=10"
  std::uint64_t seed = 1;
  int stage = 0;               // cells of a later stage read files that an earlier stage wrote
  double cost_per_step = 0.0;  // estimated; cells that take longer start first
  bool exact = true;           // false: no exact answers are computed
  bool regret = true;          // false: its regret is not computed
  bool summary_only = false;   // writes config.toml and summary.json only
  bool curve = false;          // writes curve.csv too; only with summary_only
  bool keep_state = false;     // keeps the final state too; only with summary_only
};
Config config_of(const Cell& cell);
/// The command that makes the same run.
std::string run_command(const Cell& cell);

/// A figure whose cells are all done.
struct Finished {
  const FigureOptions& options;  // with `out` and `jobs` filled in
  std::vector<Cell> cells;
  std::vector<std::string> summaries;  // the text of each cell's summary.json

  std::filesystem::path directory(std::size_t cell) const { return options.out / "runs" / cells[cell].name; }
};

/// A drawing by gnuplot: <name>.gp, <name>.svg and <name>.png, and a place on the page.
struct FigurePicture {
  std::string name;
  std::string caption;
  Plot plot;
  bool after_claims = false;
};

struct FigureFile {
  std::string name;
  std::string bytes;
};

/// Everything that a figure writes. The same cells give the same bytes.
struct FigureReport {
  std::string title, introduction;
  std::string notice = {};  // how this differs from the paper's figure; empty: it does not
  std::vector<Claim> claims = {};
  std::string intervals_over = "the seeds";  // what the intervals of the claims are taken over
  Html verdicts = {};                        // empty: one line per claim
  std::vector<FigurePicture> pictures = {};
  HtmlPage results{""}, notes{""};     // what the page shows before and after the claims
  std::string example = {};            // a command that makes one of the runs
  std::string contents = {};           // what the files are
  std::string style = {};              // CSS of its own
  std::vector<FigureFile> files = {};  // tables and images
};

struct Figure {
  std::string_view name;
  std::string_view help;
  /// The runs, from the options alone. `out` is the figure's directory.
  std::vector<Cell> (*cells)(const FigureOptions& options);
  FigureReport (*report)(const Finished& finished);
  bool compares = false;      // has variants for --compare, in a directory of their own
  bool difficulties = false;  // has runs for --difficulty, in a directory of their own
  /// Throws Error where something that the runs need is not installed; nothing is written before. nullptr: no needs.
  void (*require)(const FigureOptions& options) = nullptr;
  /// Writes the input files of the runs to `out`. nullptr: there are none.
  void (*prepare)(const FigureOptions& options) = nullptr;
  /// Called before every stage but the first: may change the overrides of its cells by the summaries of earlier stages.
  void (*choose)(Finished& finished, int stage) = nullptr;
};

/// Writes report.html, the pictures and the files.
void write_report(const FigureReport& report, const std::filesystem::path& directory, const std::string& command);

/// A table of numbers without rows.
HtmlTable new_table(std::string caption, std::vector<Html> header);
/// A claim without checks.
Claim new_claim(std::string name, std::string statement, std::string criterion);

/// A number in a CSV file; empty where it is not finite.
std::string csv_text(double value);

}  // namespace politex::inline figures
