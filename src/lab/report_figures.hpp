// The figures of a report for print.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/comparison.hpp"
#include "politex/lab/plot.hpp"

namespace politex::lab {

/// The terms of the regret at the end of the runs side by side, for the learners of one task; no series where none is
/// known. `terms` are those of `groups`.
Plot final_terms_plot(std::span<const RunGroup> groups, std::span<const std::optional<TermStatistics>> terms);

/// How many of the groups have their curves in a figure: all but where there are more than anybody looks at.
std::size_t groups_drawn(std::span<const RunGroup> groups);

/// Draws them into a directory that exists; returns their names.
std::vector<std::string> draw_figures(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                                      const Comparison& comparison, const std::filesystem::path& directory);

}  // namespace politex::lab
