// Files that a run writes: buffered, with every failure told in a sentence that names the file.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
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
  static constexpr std::int64_t keep_all = -1;
  /// Opens for appending; what lies beyond `keep` bytes is cut off.
  OutputFile(std::filesystem::path path, std::int64_t keep);
  /// Writes what it can; failures were told by the last flush() that mattered.
  ~OutputFile();
  OutputFile(OutputFile&&) = default;

  void write(std::string_view text) {
    char* to = room(text.size());
    std::memcpy(to, text.data(), text.size());
    wrote(to + text.size());
  }
  /// Room for `most` bytes to be written in place; wrote() tells where they end. What is printed by the thousand is not
  /// copied on its way.
  char* room(std::size_t most) {
    if (capacity_ - used_ < most) grow(most);
    return buffer_.get() + used_;
  }
  void wrote(const char* end) {
    used_ = static_cast<std::size_t>(end - buffer_.get());
    if (used_ >= until_piece_) write_piece();
  }
  void flush();
  /// flush() and tell the disk to begin: a sync() that comes later waits less.
  void begin_sync();
  /// flush() and wait for the disk.
  void sync();
  /// Bytes written, the buffer's included.
  std::int64_t size() const noexcept { return written_ + static_cast<std::int64_t>(used_); }

 private:
  // Pieces that begin and end at multiples of this size: the kernel keeps each in one large page, where it can, which
  // takes a fraction of the time of sixteen small ones.
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

/// How much to keep of a file that nothing is recomputed from: nothing, where it was cut off below `keep` or taken
/// away.
std::int64_t keep_or_begin(const std::filesystem::path& path, std::int64_t keep);

/// What must outlive a loss of power waits for the disk; what the death of a process alone may not tear apart need not.
enum class Wait { for_disk, for_nothing };

/// What a file is called until all of its bytes are there.
constexpr std::string_view half_written = ".new";

/// All of the bytes, or the file as it was before: temporary file, fsync, rename, fsync of the directory; without
/// waiting the same but for the fsyncs.
void write_atomically(const std::filesystem::path& path, std::string_view bytes, Wait wait = Wait::for_disk);

/// Waits until the file's bytes are on the disk.
void sync_file(const std::filesystem::path& path);

/// Waits until the directory's entries are on the disk.
void sync_directory(const std::filesystem::path& directory);

}  // namespace politex::lab
