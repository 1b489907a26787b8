#include "politex/record/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/record/records.hpp"

namespace politex::inline record {
namespace {

namespace fs = std::filesystem;

// Free space needed to write at least the configuration.
constexpr std::uint64_t least_bytes = std::uint64_t{16} * 1024;

void refuse_full_disk(const fs::path& path) {
  fs::path place = path.has_filename() ? path : path.parent_path();
  struct statvfs disk {};
  while (::statvfs(place.c_str(), &disk) != 0) {  // not created yet: ask its parents
    if (errno != ENOENT || place == ".") return;
    place = place.has_parent_path() ? place.parent_path() : ".";
  }
  if (disk.f_blocks == 0) return;
  const std::uint64_t left = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  if (left < least_bytes)
    throw Error(fmt::format("{}: the disk is full ({} bytes left); nothing was written", path.string(), left));
}

Descriptor lock(const fs::path& path) {
  Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) throw Error(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) == 0) return directory;
  if (errno != EWOULDBLOCK) throw Error(fmt::format("{}: cannot be locked: {}", path.string(), std::strerror(errno)));
  throw ConfigError{path.string(), "another process is running in this directory; wait for it or stop it first"};
}

bool is_empty_file(const fs::path& file) {
  std::error_code missing;
  return fs::file_size(file, missing) == 0 && !missing;
}

bool is_incomplete_config(const fs::path& file) {
  std::error_code missing;
  return fs::exists(file, missing) && !read_file("config.toml", file.string()).ends_with(end_of_config);
}

// The configuration is synced before the first synced checkpoint. A power failure before that may leave it empty, cut
// it or fill it with zeros; then there is nothing to resume and nothing to keep.
bool undone_by_power_loss(const fs::path& path) {
  const fs::path config = path / "config.toml";
  std::error_code missing;
  if (!is_empty_file(config) && (fs::exists(path / "summary.json", missing) || !is_incomplete_config(config)))
    return false;
  return checkpoint_files(path / "checkpoint").empty();
}

// Checkpoints hold the configuration too: restores config.toml from there if it is missing or empty.
void recover_config(const fs::path& path) {
  std::error_code missing;
  if (fs::exists(path / "config.toml", missing) && !is_empty_file(path / "config.toml")) return;
  for (const fs::path& file : checkpoint_files(path / "checkpoint")) {
    try {
      write_atomically(path / "config.toml", read_checkpoint(file).config);
      append_log(path, fmt::format("config.toml was lost; restored it from {}", file.filename().string()));
      return;
    } catch (const Error&) {  // try the checkpoint before it
    }
  }
}

// The steps in the last line of progress.csv; empty if that line is incomplete.
std::string last_steps(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg();
  std::string tail(static_cast<std::size_t>(std::clamp<std::streamoff>(size, 0, 1 << 13)), '\0');
  in.seekg(size - static_cast<std::streamoff>(tail.size()));
  in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  if (!in || !tail.ends_with('\n')) return {};
  const std::size_t before = tail.rfind('\n', tail.size() - 2);
  const std::size_t first = tail.find(',', before == std::string::npos ? 0 : before);
  const std::size_t second = tail.find(',', first + 1);
  return first == std::string::npos || second == std::string::npos ? "" : tail.substr(first + 1, second - first - 1);
}

void refuse_occupied(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path / "sweep.json", ignored))
    throw ConfigError{"--out", fmt::format("{} already holds a sweep; to resume it, rerun its command; accepted for a "
                                           "run: a new or an empty directory",
                                           path.string())};
  if (holds_run(path))
    throw ConfigError{"--out", fmt::format("{} already holds a run; to resume it: politex run --resume {}",
                                           path.string(), shell_word(path.string()))};
}

}  // namespace

bool make_out_directory(const fs::path& path) {
  std::error_code error;
  if (fs::create_directory(path, error)) return true;
  const bool made = fs::create_directories(path, error);
  if (!error && !fs::is_directory(path)) error = std::make_error_code(std::errc::not_a_directory);
  if (error == std::errc::not_a_directory || error == std::errc::file_exists)
    throw ConfigError{
        "--out",
        fmt::format("{} is not a directory; accepted: a directory, or a name that does not exist", path.string())};
  if (error) throw Error(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
  return made;
}

bool holds_run(const fs::path& path) {
  std::error_code ignored;
  if (undone_by_power_loss(path)) return false;
  for (const char* name : {"config.toml", "summary.json", "progress.csv", "checkpoint", "sweep.json"})
    if (fs::exists(path / name, ignored)) return true;
  return false;
}

std::optional<std::string> finished_summary(const fs::path& directory) {
  std::error_code missing;
  if (!fs::is_regular_file(directory / "summary.json", missing)) return std::nullopt;
  std::string text = read_file("summary.json", (directory / "summary.json").string());
  if (!text.ends_with("}\n")) return std::nullopt;
  // A summary without progress.csv still counts as finished: the user may have deleted the rows.
  if (!fs::exists(directory / "progress.csv", missing)) return text;
  const std::string steps = fmt::format("\"steps\": {},", last_steps(directory / "progress.csv"));
  const std::size_t at = text.find("\"steps\"");  // the first one; later ones belong to segments
  if (at == std::string::npos || text.compare(at, steps.size(), steps) != 0) return std::nullopt;
  return text;
}

RunDirectory RunDirectory::create(const fs::path& path) {
  refuse_full_disk(path);
  const bool fresh = make_out_directory(path);
  Descriptor held = lock(path);
  // Another process may have started a run here before the lock.
  std::error_code unknown;
  if (!fresh || !fs::is_empty(path, unknown)) refuse_occupied(path);
  return {path, std::move(held), fresh};
}

RunDirectory RunDirectory::create_numbered(const std::string& stem, std::uint64_t seed) {
  const fs::path parent = "results";
  refuse_full_disk(parent);
  make_out_directory(parent);
  for (int k = 1;; ++k) {
    const fs::path path = parent / fmt::format("{}-{}{}", stem, seed, k == 1 ? "" : fmt::format("-{}", k));
    std::error_code error;
    if (fs::create_directory(path, error)) return {path, lock(path), true};
    if (error) throw Error(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
  }
}

RunDirectory RunDirectory::sweep(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path / "config.toml", ignored)) refuse_occupied(path);
  refuse_full_disk(path);
  make_out_directory(path);
  return {path, lock(path)};
}

RunDirectory RunDirectory::open(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    throw ConfigError{path.string(), "not a directory; accepted: the directory of a run"};
  Descriptor held = lock(path);
  recover_config(path);
  if (!fs::exists(path / "config.toml", ignored))
    throw ConfigError{path.string(), "holds no run (it has no config.toml); accepted: the directory of a run"};
  if (undone_by_power_loss(path))
    throw ConfigError{path.string(),
                      "holds no run: its config.toml is incomplete because of a power failure; start the run again "
                      "with its original command"};
  return {path, std::move(held)};
}

}  // namespace politex::inline record
