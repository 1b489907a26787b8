// The policy that a finished or stopped run has learned, read from its newest checkpoint.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline evaluate {

/// The policy of the next phase of a linear or neural run. Throws ConfigError naming `key`: the directory holds no run,
/// it has no checkpoint, or the run is of another environment.
std::shared_ptr<const Explorer> read_run_policy(const std::string& key, const std::filesystem::path& directory,
                                                const Space& space, const std::string& environment);

}  // namespace politex::inline evaluate
