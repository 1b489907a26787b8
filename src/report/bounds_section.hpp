// The section of a run report that compares the regret terms with the paper's bounds.
#pragma once

#include <span>

#include "politex/page/html.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/comparison.hpp"

namespace politex::inline report {

/// Adds the groups whose runs measured the theory (exact.every > 0); adds nothing if there are none.
void add_bounds(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::inline report
