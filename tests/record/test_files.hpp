// Reading and writing whole files in tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace politex {

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Creates the parent directories too.
inline void write_text(const std::filesystem::path& file, const std::string& text,
                       std::ios::openmode mode = std::ios::trunc) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | mode) << text;
}

}  // namespace politex
