// The part of a report that compares: tables for the page, and the same numbers as CSV.
#pragma once

#include <span>
#include <string>

#include "politex/lab/comparison.hpp"
#include "politex/lab/html.hpp"

namespace politex::lab {

/// What came out for each group, the terms of its regret, each learner over all tasks, and learners in pairs.
void add_comparison(HtmlPage& page, std::span<const RunGroup> groups, const Comparison& comparison);

/// Keeps the rows that fit into so many bytes; returns how many did not.
std::size_t cut_rows(HtmlTable& table, std::size_t most_bytes);

/// One row per group.
std::string comparison_csv(std::span<const RunGroup> groups, const Comparison& comparison);
/// One row per group and term.
std::string regret_terms_csv(std::span<const RunGroup> groups, const Comparison& comparison);
/// One row per learner.
std::string aggregates_csv(const Comparison& comparison);
/// One row per pair of learners.
std::string improvement_csv(const Comparison& comparison);

}  // namespace politex::lab
