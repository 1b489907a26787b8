// Ranges of settings.
#pragma once

#include <string>

#include "politex/base/error.hpp"

namespace politex::inline base {

/// Throws ConfigError unless the value of `key` is `accepted`.
inline void require(bool holds, const char* key, const char* accepted) {
  if (!holds) throw ConfigError(key, std::string("out of range; accepted: ") + accepted);
}

}  // namespace politex::inline base
