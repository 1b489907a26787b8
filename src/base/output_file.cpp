#include "politex/base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::inline base {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int reason) {
  throw WriteError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(reason)));
}

// Returns 0 or errno; `done` counts the bytes written.
int write_all(int file, std::string_view bytes, std::size_t& done) {
  for (done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path, std::int64_t keep)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)), written_(keep) {
  if (file_.get() < 0) fail(path_, "cannot be opened for writing", errno);
  const off_t size = ::lseek(file_.get(), 0, SEEK_END);
  if (keep == keep_all && size >= 0) written_ = size;
  until_piece_ = piece - static_cast<std::size_t>(written_) % piece;
  if (size == written_) return;  // even a truncation that changes nothing makes ext4 write the file out at close
  if (size < 0 || ::ftruncate(file_.get(), written_) != 0) fail(path_, "cannot be truncated", errno);
  if (::lseek(file_.get(), written_, SEEK_SET) < 0) fail(path_, "cannot be appended to", errno);
}

OutputFile::~OutputFile() {
  std::size_t done = 0;
  if (file_.get() >= 0) write_all(file_.get(), {buffer_.get(), used_}, done);
}

void OutputFile::grow(std::size_t most) {
  // Logs and tables of times stay small; larger files get a whole piece.
  constexpr std::size_t small = 1 << 11;
  const std::size_t capacity = std::max(used_ + most, capacity_ == 0 ? small : piece + most);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  std::copy_n(buffer_.get(), used_, larger.get());
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

void OutputFile::write_piece() { write_out(used_ - (used_ - until_piece_) % piece); }

void OutputFile::flush() { write_out(used_); }

void OutputFile::write_out(std::size_t bytes) {
  std::size_t done = 0;
  const int reason = write_all(file_.get(), {buffer_.get(), bytes}, done);
  written_ += static_cast<std::int64_t>(done);
  if (reason != 0) {
    used_ = 0;  // so that the destructor does not write again what just failed
    fail(path_, "cannot be written", reason);
  }
  std::copy(buffer_.get() + bytes, buffer_.get() + used_, buffer_.get());
  used_ -= bytes;
  until_piece_ = piece - static_cast<std::size_t>(written_) % piece;
}

void OutputFile::begin_sync() {
  flush();
#ifdef SYNC_FILE_RANGE_WRITE
  ::sync_file_range(file_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);  // only a hint: sync() reports failures
#endif
}

void OutputFile::sync() {
  flush();
  if (::fdatasync(file_.get()) != 0) fail(path_, "cannot be written to disk", errno);
}

bool OutputFile::in_place() const {
  struct stat mine {
  }, there{};
  return ::fstat(file_.get(), &mine) == 0 && ::stat(path_.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

std::int64_t keep_or_begin(const std::filesystem::path& path, std::int64_t keep) {
  if (keep == 0) return 0;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error || static_cast<std::int64_t>(size) < keep ? 0 : keep;
}

void write_atomically(const std::filesystem::path& path, std::string_view bytes, Wait wait) {
  const std::filesystem::path temporary = path.string() + std::string(half_written);
  int reason = 0;
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) fail(path, "cannot be written", errno);
    std::size_t done = 0;
    reason = write_all(file.get(), bytes, done);
    if (reason == 0 && wait == Wait::for_disk && ::fsync(file.get()) != 0) reason = errno;
  }
  if (reason == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", reason);
  }
  if (wait == Wait::for_disk) sync_directory(path.parent_path());
}

void sync_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail(path, "cannot be written to disk", errno);
}

void sync_directory(const std::filesystem::path& directory) {
  const std::filesystem::path name = directory.empty() ? std::filesystem::path(".") : directory;
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail(name, "cannot be synchronised with the disk", errno);
}

}  // namespace politex::inline base
