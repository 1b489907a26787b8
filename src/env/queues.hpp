// Networks of queues from TOML or JSON files. docs/guide/problems.md shows the format.
#pragma once

#include <string>
#include <string_view>

#include "politex/env/entry.hpp"
#include "politex/env/queue_network.hpp"

namespace politex::inline env {

/// Reads a network from JSON text, or TOML where `origin` ends in ".toml"; `buffer` above 0 replaces those of the file.
/// Throws ConfigError naming `origin` and the entry.
QueueNetwork parse_queue_network(std::string_view text, const std::string& origin, int buffer = 0);

const EnvironmentEntry& queues_entry();

}  // namespace politex::inline env
