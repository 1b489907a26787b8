// An optimal policy as explorer. It is in this room because policy/ does not include exact/.
#pragma once

#include "politex/policy/explorer_entry.hpp"

namespace politex::inline run {

const ExplorerEntry& optimal_entry();

}  // namespace politex::inline run
