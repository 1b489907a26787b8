// Buffered output files whose errors name the file, and atomic replacement of files.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "politex/base/descriptor.hpp"

namespace politex::inline base {

/// Appends through a buffer. Throws Error if the disk is full or the file cannot be written.
class OutputFile {
 public:
  static constexpr std::int64_t keep_all = -1;
  /// Opens for appending and truncates the file to `keep` bytes.
  OutputFile(std::filesystem::path path, std::int64_t keep);
  /// Writes the buffer without reporting failures: call flush() where they matter.
  ~OutputFile();
  OutputFile(OutputFile&&) = default;

  void write(std::string_view text) {
    char* to = reserve(text.size());
    std::memcpy(to, text.data(), text.size());
    wrote(to + text.size());
  }
  /// Space for `most` bytes, to be written in place and ended by wrote(): formatting numbers then needs no copy.
  char* reserve(std::size_t most) {
    if (capacity_ - used_ < most) grow(most);
    return buffer_.get() + used_;
  }
  void wrote(const char* end) {
    used_ = static_cast<std::size_t>(end - buffer_.get());
    if (used_ >= until_piece_) write_piece();
  }
  void flush();
  /// flush() and start writing to disk, so that a later sync() waits less.
  void begin_sync();
  /// flush() and wait until the bytes are on disk.
  void sync();
  /// Whether the name still leads to this file: false if it was deleted or replaced.
  bool in_place() const;
  const std::filesystem::path& path() const noexcept { return path_; }
  /// Bytes written, including those still in the buffer.
  std::int64_t size() const noexcept { return written_ + static_cast<std::int64_t>(used_); }

 private:
  // Writes start and end at multiples of this size: the kernel can then keep each in one large page, which is several
  // times faster than sixteen small ones.
  static constexpr std::size_t piece = 1 << 16;

  void grow(std::size_t most);
  void write_piece();
  void write_out(std::size_t bytes);

  std::filesystem::path path_;
  Descriptor file_;
  std::int64_t written_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0, capacity_ = 0;
  std::size_t until_piece_ = 0;  // bytes until the file ends at a multiple of `piece`
};

/// How many bytes to keep of a file that results do not depend on: `keep`, or 0 if the file is shorter or missing.
std::int64_t keep_or_begin(const std::filesystem::path& path, std::int64_t keep);

/// Waiting for the disk survives a power failure; without waiting, a write survives only the death of the process.
enum class Wait { for_disk, for_nothing };

/// Suffix of a file that is not yet complete.
constexpr std::string_view half_written = ".new";

/// Replaces a file atomically by temporary file, fsync, rename and fsync of the directory; Wait::for_nothing skips the
/// fsyncs.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Wait wait = Wait::for_disk);

/// Waits until the file's bytes are on disk.
void sync_file(const std::filesystem::path& path);

/// Waits until the directory's entries are on disk.
void sync_directory(const std::filesystem::path& directory);

}  // namespace politex::inline base
