// TensorBoard event files: scalars that the real TensorBoard opens. Records of length, data and CRC-32C checksums
// around hand-encoded protocol buffers; nothing of TensorFlow is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/output_file.hpp"

namespace politex::lab {

/// CRC-32C (Castagnoli).
std::uint32_t crc32c(std::string_view bytes) noexcept;

class EventsWriter {
 public:
  /// Goes on with the event file of the directory, cut back to `keep` bytes, or begins one where there is none; without
  /// `keep` one is begun.
  EventsWriter(const std::filesystem::path& directory, std::span<const std::string> tags,
               std::optional<std::int64_t> keep);

  /// One event with a number a tag. What is not finite is left out.
  void scalars(std::int64_t step, std::span<const double> values);
  void flush() { file_.flush(); }
  std::int64_t size() const noexcept { return file_.size(); }

 private:
  std::vector<std::string> heads_;  // of the values: all of their bytes but the number
  std::size_t most_values_ = 0;     // bytes of a value of every tag
  OutputFile file_;
};

}  // namespace politex::lab
