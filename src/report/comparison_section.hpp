// The comparison section of a report: tables for the page, and the same numbers as CSV.
#pragma once

#include <span>
#include <string>

#include "politex/page/html.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// Adds the results of each group, its regret terms, each learner over all tasks, and pairs of learners.
void add_comparison(HtmlPage& page, std::span<const RunGroup> groups, const Comparison& comparison);

/// Keeps the rows that fit into `most_bytes`; returns how many were dropped.
std::size_t cut_rows(HtmlTable& table, std::size_t most_bytes);

/// One row per group.
std::string comparison_csv(std::span<const RunGroup> groups, const Comparison& comparison);
/// One row per group and term.
std::string regret_terms_csv(std::span<const RunGroup> groups, const Comparison& comparison);
/// One row per learner.
std::string aggregates_csv(const Comparison& comparison);
/// One row per pair of learners.
std::string improvement_csv(const Comparison& comparison);

}  // namespace politex::inline report
