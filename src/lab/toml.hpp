// The TOML reader: a file's bytes to assignments of known keys.
#pragma once

#include <string_view>
#include <vector>

#include "politex/lab/config_io.hpp"

namespace politex::lab {

/// Throws ConfigError with file, line and column: bytes that are no text, syntax, unknown keys.
std::vector<Assignment> parse_toml(std::string_view text, std::string_view file_name);

}  // namespace politex::lab
