// The Python script that serves Gymnasium and Atari environments (src/apps/python/politex/serve_env.py).
#pragma once

#include "politex/base/asset.hpp"

namespace politex::inline process {

Asset serve_env_py();

}  // namespace politex::inline process
