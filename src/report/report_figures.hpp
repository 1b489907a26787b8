// The figures for print of a report.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/page/plot.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// The final regret terms of the learners of one task; no series if none is known. `terms` belong to `groups`.
Plot final_terms_plot(std::span<const RunGroup> groups, std::span<const std::optional<TermStatistics>> terms);

/// How many groups are drawn: all, or the first ones if there are very many.
std::size_t groups_drawn(std::span<const RunGroup> groups);

/// Draws the figures into an existing directory; returns their names.
std::vector<std::string> draw_figures(std::span<const RunRecord> runs, std::span<const RunGroup> groups,
                                      const Comparison& comparison, const std::filesystem::path& directory);

}  // namespace politex::inline report
