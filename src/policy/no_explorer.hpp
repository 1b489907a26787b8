// No exploration segments.
#pragma once

#include "politex/policy/explorer_entry.hpp"

namespace politex::inline policy {

const ExplorerEntry& no_explorer_entry();

}  // namespace politex::inline policy
