// Environments in other processes, from the configuration: gymnasium and atari through the server that the program
// carries with it (src/apps/python/politex/serve_env.py), and any program that speaks the protocol.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "politex/lab/config.hpp"
#include "politex/process/process_block.hpp"

namespace politex::lab {

/// gymnasium, atari, process.
bool is_process_environment(std::string_view name);

/// The environments first, first + 1, ... of a run. Throws ConfigError where something of the configuration is missing
/// or the server refuses it, before a step is taken.
std::unique_ptr<ProcessBlock> make_process_block(const EnvironmentConfig& config, std::uint64_t seed, int first,
                                                 int count, int processes);

}  // namespace politex::lab
