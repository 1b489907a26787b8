// Reading and writing whole files, with sentences for what can go wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace politex {

/// The bytes of a file. Throws ConfigError{key, ...} when it does not exist, is a directory, cannot be read, or is
/// larger than `most_bytes`.
std::string read_file(const std::string& key, const std::string& file, std::uint64_t most_bytes = 1ULL << 30);

/// Replaces a file in one step: a reader sees the old bytes or the new ones, and after a crash one of the two. Throws
/// Error that names the file.
void write_file(const std::string& file, std::string_view bytes);

/// A word of a command line as a shell takes it for one.
std::string shell_word(const std::string& word);

}  // namespace politex
