// A check sum of the beginning of a file, computed as the file grows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

namespace politex::inline base {

/// CRC-32. It finds accidents, not forgers.
class ContentCheck {
 public:
  explicit ContentCheck(std::filesystem::path file) : file_(std::move(file)) {}
  /// Of the first `bytes` bytes, at least as many as in the last call: only the new ones are read. Throws Error where
  /// the file cannot be read or is shorter.
  std::uint32_t up_to(std::int64_t bytes);

 private:
  std::filesystem::path file_;
  std::int64_t done_ = 0;
  std::uint32_t sum_ = 0;
};

}  // namespace politex::inline base
