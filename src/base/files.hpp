// Reading whole files of the user's, with sentences for what can go wrong.
#pragma once

#include <cstdint>
#include <string>

namespace politex {

/// The bytes of a file. Throws ConfigError{key, ...} when it does not exist, is a directory, cannot be read, or is
/// larger than `most_bytes`.
std::string read_file(const std::string& key, const std::string& file, std::uint64_t most_bytes = 1ULL << 30);

}  // namespace politex
