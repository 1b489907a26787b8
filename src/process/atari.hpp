// A game of the Arcade Learning Environment, in processes of its own.
#pragma once

#include "politex/env/entry.hpp"

namespace politex::inline process {

const EnvironmentEntry& atari_entry();

}  // namespace politex::inline process
