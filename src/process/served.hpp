// Environments that a program of the user serves.
#pragma once

#include "politex/env/entry.hpp"

namespace politex::inline process {

const EnvironmentEntry& process_entry();

}  // namespace politex::inline process
