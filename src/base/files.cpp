#include "politex/base/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "politex/base/error.hpp"

namespace politex {

std::string read_file(const std::string& key, const std::string& file, std::uint64_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) throw ConfigError{key, fmt::format("\"{}\": no such file", file)};
  if (fs::is_directory(status)) throw ConfigError{key, fmt::format("\"{}\" is a directory; accepted: a file", file)};
  std::ifstream in(file, std::ios::binary);
  std::string bytes;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (in) {
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most_bytes)
      throw ConfigError{key, fmt::format("\"{}\" is too large; accepted: at most {} bytes", file, most_bytes)};
  }
  if (!in.eof()) throw ConfigError{key, fmt::format("\"{}\" cannot be read", file)};
  return bytes;
}

}  // namespace politex
