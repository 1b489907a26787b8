// An exploration policy from a file: a policy over listed states, a table of goals, or a network.
#pragma once

#include <memory>
#include <string>

#include "politex/env/space.hpp"
#include "politex/policy/explorer.hpp"

namespace politex::inline policy {
struct ExplorerEntry;
}  // namespace politex::inline policy

namespace politex::inline run {

/// `environment` is the name of the run's environment: what `politex explore` trained in another one is refused. Throws
/// ConfigError naming explorer.file.
std::shared_ptr<const Explorer> read_explorer(const std::string& file, const Space& space,
                                              const std::string& environment);

const ExplorerEntry& file_explorer_entry();

}  // namespace politex::inline run
