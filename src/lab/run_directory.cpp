#include "politex/lab/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>

#include "politex/base/error.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

// Less than this and not even the configuration can be written.
constexpr std::uint64_t least_bytes = std::uint64_t{16} * 1024;

void refuse_full_disk(const fs::path& path) {
  fs::path place = fs::absolute(path).lexically_normal();
  std::error_code ignored;
  while (!fs::exists(place, ignored) && place.has_parent_path() && place != place.parent_path())
    place = place.parent_path();
  struct statvfs disk {};
  if (::statvfs(place.c_str(), &disk) != 0 || disk.f_blocks == 0) return;
  const std::uint64_t left = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  if (left < least_bytes)
    throw ConfigError{"--out",
                      fmt::format("{}: the disk is full ({} bytes left); nothing was written", path.string(), left)};
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path)) error = std::make_error_code(std::errc::not_a_directory);
  if (error == std::errc::not_a_directory || error == std::errc::file_exists)
    throw ConfigError{"--out", fmt::format("{} is no directory; accepted: a new or an empty one", path.string())};
  if (error) throw Error(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
}

Descriptor lock(const fs::path& path) {
  Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) throw Error(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) == 0) return directory;
  if (errno != EWOULDBLOCK) throw Error(fmt::format("{}: cannot be locked: {}", path.string(), std::strerror(errno)));
  throw ConfigError{path.string(), "another process is running in this directory; wait for it or stop it first"};
}

void refuse_occupied(const fs::path& path) {
  if (holds_run(path))
    throw ConfigError{"--out", fmt::format("{} holds a run already; to go on with it: politex run --resume {}",
                                           path.string(), path.string())};
}

}  // namespace

bool holds_run(const fs::path& path) {
  std::error_code ignored;
  for (const char* name : {"config.toml", "summary.json", "progress.csv", "checkpoint", "sweep.json"})
    if (fs::exists(path / name, ignored)) return true;
  return false;
}

RunDirectory RunDirectory::create(const fs::path& path) {
  refuse_occupied(path);
  refuse_full_disk(path);
  make_directories(path);
  Descriptor held = lock(path);
  refuse_occupied(path);  // another process may have come between
  return {path, std::move(held)};
}

RunDirectory RunDirectory::create_numbered(const std::string& stem, std::uint64_t seed) {
  const fs::path parent = "results";
  refuse_full_disk(parent);
  make_directories(parent);
  for (int k = 1;; ++k) {
    const fs::path path = parent / fmt::format("{}-{}{}", stem, seed, k == 1 ? "" : fmt::format("-{}", k));
    std::error_code error;
    if (fs::create_directory(path, error)) return {path, lock(path)};
    if (error) throw Error(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
  }
}

RunDirectory RunDirectory::sweep(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path / "config.toml", ignored)) refuse_occupied(path);
  refuse_full_disk(path);
  make_directories(path);
  return {path, lock(path)};
}

RunDirectory RunDirectory::open(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    throw ConfigError{path.string(), "is no directory; accepted: the directory of a run"};
  if (!fs::exists(path / "config.toml", ignored))
    throw ConfigError{path.string(), "holds no run (there is no config.toml in it)"};
  return {path, lock(path)};
}

bool RunDirectory::finished() const {
  std::error_code ignored;
  return fs::exists(file("summary.json"), ignored);
}

}  // namespace politex::lab
