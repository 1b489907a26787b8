// Reading and writing whole files, with error messages that name the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline base {

/// Returns the bytes of a file. Throws ConfigError{key, ...} if it does not exist, is a directory, cannot be read, or
/// is larger than `most_bytes`.
std::string read_file(const std::string& key, const std::string& file, std::uint64_t most_bytes = 1ULL << 30);

/// Replaces a file atomically: readers, and a restart after a crash, find either the old bytes or the new ones. Throws
/// an Error that names the file.
void write_file(const std::string& file, std::string_view bytes);

/// What a directory holds, in no order; nothing if there is none. Throws Error if it cannot be read: a checkpoint in it
/// would be lost. (The iterator of the standard library ends the program when there is no memory.)
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory);

/// Quotes a word for use in a shell command, where needed.
std::string shell_word(const std::string& word);

}  // namespace politex::inline base
