// TensorBoard event files: scalars that the real TensorBoard opens. Records of length, data and CRC-32C checksums
// around hand-encoded protocol buffers; nothing of TensorFlow is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/output_file.hpp"

namespace politex::lab {

/// CRC-32C (Castagnoli).
std::uint32_t crc32c(std::string_view bytes) noexcept;

/// Appends one event with these scalars, framed as a record. What is not finite is left out.
void append_scalar_record(std::string& to, double wall_time, std::int64_t step, std::span<const std::string> tags,
                          std::span<const double> values);

class EventsWriter {
 public:
  /// Goes on with the event file of the directory, cut back to `keep` bytes, or begins one where there is none.
  EventsWriter(const std::filesystem::path& directory, std::vector<std::string> tags, std::int64_t keep);

  void scalars(std::int64_t step, std::span<const double> values);
  void flush() { file_.flush(); }
  std::int64_t size() const noexcept { return file_.size(); }

 private:
  std::vector<std::string> tags_;
  OutputFile file_;
  std::string record_;
};

}  // namespace politex::lab
