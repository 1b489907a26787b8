// The figures that `politex reproduce FIGURE` can make again. A new figure is one function and one line of the
// catalogue in reproduce.cpp.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "politex/lab/claims.hpp"
#include "politex/lab/sweep.hpp"

namespace politex::lab {

struct ReproduceOptions {
  bool quick = false;                // fewer seeds and sizes, shorter runs; the report says so
  bool long_run = false;             // --long: the figures that have a longer variant
  std::filesystem::path out;         // empty: results/<figure>
  int seeds = 0;                     // 1..seeds; 0: the figure's own number
  bool compare = false;              // --compare: the figures that have variants to be compared
  int jobs = 0;                      // threads; 0: all cores. Never changes a number
  std::string command;               // how the user called us, printed in the report; empty: made from the options
  std::ostream* messages = nullptr;  // where the result is told; nullptr: standard output. Progress goes to stderr
  const std::atomic<int>* stop = nullptr;  // becomes a signal's number when figures that can resume should stop
};

/// How the user called us, or would have.
std::string reproduce_command(std::string_view figure, const ReproduceOptions& options);

struct Figure {
  std::string_view name;
  std::string_view help;
  /// Writes the figure's directory and tells where its report is. Throws ConfigError (bad options, nothing written)
  /// or Error (a run or a tool failed). Returns the exit status: 0 whatever the verdicts say.
  int (*reproduce)(const ReproduceOptions& options);
};

/// Every figure, in the order of the paper.
std::span<const Figure> figures();

/// The figure of that name; throws ConfigError that lists the accepted names.
const Figure& find_figure(std::string_view name);

/// results/<figure> unless the options name another; created. Throws ConfigError where it cannot be.
std::filesystem::path make_figure_directory(const ReproduceOptions& options, std::string_view figure);

/// Whether a signal asked figures that can resume to stop.
bool stopped(const ReproduceOptions& options);

/// Runs what is missing of a figure's runs, below `directory`, with one live line; throws Error that names a run that
/// failed. False: stopped, and the same command goes on.
bool run_figure(std::span<const SweepCell> cells, const std::filesystem::path& directory, int jobs,
                const ReproduceOptions& options);

/// Every claim with its verdict, then where the report is.
void tell_verdicts(const ReproduceOptions& options, std::span<const Claim> claims,
                   const std::filesystem::path& directory);

/// The paper's DeepSea figure: nine curves and two that avoid the row trap, N = 2..50, 20 seeds.
int reproduce_deep_sea(const ReproduceOptions& options);

/// The theorem and the lemmas on worlds where their assumptions hold: thirteen claims and fifteen pictures.
int reproduce_theory(const ReproduceOptions& options);

/// The paper's cartpole figure: neural Politex with and without exploration, three seeds, six million steps each.
int reproduce_cartpole(const ReproduceOptions& options);

/// The paper's Ms. Pac-Man figure: five pairs of seeds, 150,000 steps each, or 1.2 million with --long.
int reproduce_ms_pacman(const ReproduceOptions& options);

}  // namespace politex::lab
