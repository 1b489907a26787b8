#include "politex/lab/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "politex/base/error.hpp"

namespace politex::lab {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int reason) {
  throw Error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(reason)));
}

// Returns 0 or the reason; `done` counts what went out.
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

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::release() noexcept { return std::exchange(number_, -1); }

OutputFile::OutputFile(std::filesystem::path path, std::int64_t keep)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)), written_(keep) {
  if (file_.get() < 0) fail(path_, "cannot be opened for writing", errno);
  if (::ftruncate(file_.get(), keep) != 0) fail(path_, "cannot be cut back", errno);
  if (::lseek(file_.get(), keep, SEEK_SET) < 0) fail(path_, "cannot be appended to", errno);
  buffer_.reserve(buffer_limit + 4096);
}

OutputFile::~OutputFile() {
  std::size_t done = 0;
  if (file_.get() >= 0) write_all(file_.get(), buffer_, done);
}

void OutputFile::flush() {
  std::size_t done = 0;
  const int reason = write_all(file_.get(), buffer_, done);
  written_ += static_cast<std::int64_t>(done);
  buffer_.erase(0, done);
  if (reason != 0) {
    buffer_.clear();  // the destructor must not try again what has been told
    fail(path_, "cannot be written", reason);
  }
}

void OutputFile::sync() {
  flush();
  if (::fdatasync(file_.get()) != 0) fail(path_, "cannot be written to the disk", errno);
}

void write_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path beside = path.string() + ".new";
  int reason = 0;
  {
    const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) fail(path, "cannot be written", errno);
    std::size_t done = 0;
    reason = write_all(file.get(), bytes, done);
    if (reason == 0 && ::fsync(file.get()) != 0) reason = errno;
  }
  if (reason == 0 && ::rename(beside.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(beside.c_str());
    fail(path, "cannot be written", reason);
  }
  sync_directory(path.parent_path());
}

void sync_directory(const std::filesystem::path& directory) {
  const std::filesystem::path name = directory.empty() ? std::filesystem::path(".") : directory;
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail(name, "cannot be synchronised with the disk", errno);
}

}  // namespace politex::lab
