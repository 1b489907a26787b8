// The part of a report that shows what was learned: where the runs went and what their policies do, phase by phase.
#pragma once

#include <span>
#include <string>

#include "politex/lab/comparison.hpp"
#include "politex/lab/html.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// The pictures of the first run of each group, as many as fit into a page that stays small. Adds nothing where no run
/// has any.
void add_pictures(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups);

/// {"frame": ..., "pictures": [...]} of a pictures.jsonl; empty where it has none or holds something else. Lines that
/// are half-written or damaged are left out.
std::string pictures_json(const std::string& file_text);

}  // namespace politex::lab
