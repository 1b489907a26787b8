// Files that a run writes: buffered, with every failure told in a sentence that names the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace politex::lab {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  int get() const noexcept { return number_; }
  int release() noexcept;

 private:
  int number_;
};

/// Appends through a buffer. Throws Error when the disk is full or the file cannot be written.
class OutputFile {
 public:
  /// Opens for appending; what lies beyond `keep` bytes is cut off.
  OutputFile(std::filesystem::path path, std::int64_t keep);
  /// Writes what it can; failures were told by the last flush() that mattered.
  ~OutputFile();
  OutputFile(OutputFile&&) = default;

  void write(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= buffer_limit) flush();
  }
  void flush();
  /// flush() and tell the disk to begin: a sync() that comes later waits less.
  void begin_sync();
  /// flush() and wait for the disk.
  void sync();
  /// Bytes written, the buffer's included.
  std::int64_t size() const noexcept { return written_ + static_cast<std::int64_t>(buffer_.size()); }

 private:
  static constexpr std::size_t buffer_limit = 1 << 14;  // small enough to stay in the cache

  std::filesystem::path path_;
  Descriptor file_;
  std::int64_t written_ = 0;
  std::string buffer_;
};

/// What must outlive a loss of power waits for the disk; what the death of a process alone may not tear apart need not.
enum class Wait { for_disk, for_nothing };

/// All of the bytes, or the file as it was before: temporary file, fsync, rename, fsync of the directory; without
/// waiting the same but for the fsyncs.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Wait wait = Wait::for_disk);

/// Waits until the file's bytes are on the disk.
void sync_file(const std::filesystem::path& path);

/// Waits until the directory's entries are on the disk.
void sync_directory(const std::filesystem::path& directory);

}  // namespace politex::lab
