// Checks that the ranks of a job see the same directory.
#pragma once

#include <filesystem>

#include "politex/base/fleet.hpp"

namespace politex::inline base {

/// Rank 0 writes a token into the directory, which must exist, and the other ranks look for it. If one of them does not
/// find it, throws ConfigError on rank 0 and Dismissed on the others. The token is removed in any case.
void require_shared_directory(Fleet* fleet, const std::filesystem::path& directory);

/// Default number of threads of a rank: its share of the machine's cores.
int cores_for(const Fleet* fleet);

}  // namespace politex::inline base
