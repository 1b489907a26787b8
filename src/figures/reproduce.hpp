// `politex reproduce FIGURE`: runs what is missing of a figure's cells and writes its report.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "politex/figures/figure.hpp"

namespace politex::inline figures {

/// How the user started the program, or could have.
std::string reproduce_text(std::string_view figure, const FigureOptions& options);

/// Writes the figure's directory and prints the verdicts. Throws ConfigError (bad options, nothing written) or Error (a
/// run or a tool failed). False: stopped by a signal; the same call resumes it.
bool reproduce(const Figure& figure, FigureOptions options);

/// Runs the missing cells in options.out/runs with one progress line; throws Error that names a run that failed.
/// Nothing: stopped.
std::optional<Finished> run_figure(const Figure& figure, const FigureOptions& options);

}  // namespace politex::inline figures
