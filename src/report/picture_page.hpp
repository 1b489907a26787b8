// The section of a report that shows visited states and policies, phase by phase.
#pragma once

#include <span>
#include <string>

#include "politex/page/html.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// Adds the pictures of the first run of each group, within a size limit. Adds nothing if no run has pictures.
void add_pictures(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// {"frame": ..., "pictures": [...]} of a pictures.jsonl; empty if it has none or is invalid. Incomplete or damaged
/// lines are left out.
std::string pictures_json(const std::string& file_text);

}  // namespace politex::inline report
