// The part of a run report that puts the paper's bounds beside the regret terms they bound.
#pragma once

#include <span>

#include "politex/lab/comparison.hpp"
#include "politex/lab/html.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

/// Of the groups whose runs measured the theory (exact.every > 0); nothing where there are none.
void add_bounds(HtmlPage& page, std::span<const RunRecord> runs, std::span<const RunGroup> groups);

}  // namespace politex::lab
