#pragma once

#include <span>

#include "politex/env/entry.hpp"

namespace politex::cli {

/// The whole program `politex`, with `environments` besides those of the catalogue: reads the command line, does what
/// it asks, and returns the exit status.
int program(int count, char** arguments, std::span<const EnvironmentEntry* const> environments = {});

}  // namespace politex::cli
