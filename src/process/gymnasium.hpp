// Any Gymnasium environment with Discrete actions, in processes of its own.
#pragma once

#include "politex/env/entry.hpp"

namespace politex::inline process {

const EnvironmentEntry& gymnasium_entry();

}  // namespace politex::inline process
