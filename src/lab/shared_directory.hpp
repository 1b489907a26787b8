// Whether the ranks of a job see the same directory.
#pragma once

#include <filesystem>

#include "politex/base/fleet.hpp"

namespace politex::lab {

/// Rank 0 writes a token into the directory, which is there already, and the others look for it. Throws ConfigError on
/// rank 0, Dismissed on the others, where one of them does not find it; the token is gone afterwards.
void require_shared_directory(Fleet* fleet, const std::filesystem::path& directory);

/// Threads that a rank uses when nothing is said: its share of the cores of its machine.
int cores_for(const Fleet* fleet);

}  // namespace politex::lab
