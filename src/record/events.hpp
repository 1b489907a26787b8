// TensorBoard event files with scalars. The records (length, data, CRC-32C checksums) and their protocol buffers are
// encoded here, so TensorFlow is not needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/output_file.hpp"

namespace politex::inline record {

/// CRC-32C (Castagnoli).
std::uint32_t crc32c(std::string_view bytes) noexcept;

class EventsWriter {
 public:
  /// Appends to the event file of the directory, truncated to `keep` bytes; starts a new file if there is none or
  /// `keep` is empty.
  EventsWriter(const std::filesystem::path& directory, std::span<const std::string> tags,
               std::optional<std::int64_t> keep);

  /// Writes one event with one number per tag. Numbers that are not finite are left out.
  void scalars(std::int64_t step, std::span<const double> values);
  void flush() { file_.flush(); }
  std::int64_t size() const noexcept { return file_.size(); }

  const OutputFile& file() const noexcept { return file_; }

 private:
  std::vector<std::string> heads_;  // per tag, the encoded value without its number
  std::size_t most_values_ = 0;     // bytes of the values of all tags
  OutputFile file_;
};

}  // namespace politex::inline record
