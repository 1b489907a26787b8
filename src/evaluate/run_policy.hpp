// The policy that a finished or stopped run has learned, read from its newest checkpoint.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/run/run.hpp"

namespace politex::inline evaluate {

/// Throws ConfigError naming `key` where the directory is a run of another environment.
void check_trained_in(const std::string& key, const std::filesystem::path& directory, const std::string& environment);

/// The finished or stopped run of a directory, as its newest checkpoint has it. Throws ConfigError naming `key` where
/// there is no run, or no checkpoint.
std::unique_ptr<Run> read_run(const std::string& key, const std::filesystem::path& directory);

/// The policy of the next phase of a linear or neural run. Throws ConfigError naming `key`: the directory holds no run,
/// or it has no checkpoint.
std::shared_ptr<const Explorer> read_run_policy(const std::string& key, const std::filesystem::path& directory,
                                                const Space& space);

}  // namespace politex::inline evaluate
