// A heuristic as exploration policy.
#pragma once

#include "politex/policy/explorer_entry.hpp"

namespace politex::inline heuristics {

const ExplorerEntry& heuristic_explorer_entry();

}  // namespace politex::inline heuristics
