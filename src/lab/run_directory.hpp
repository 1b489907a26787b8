// The directory of one run: who may write to it, and what it holds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "politex/lab/output_file.hpp"

namespace politex::lab {

/// The text of summary.json where the run in `directory` is finished. Runs of less than a second are not waited for, so
/// that a loss of power may leave a summary without its bytes, or without the last rows of progress.csv: not finished.
std::optional<std::string> finished_summary(const std::filesystem::path& directory);

/// A directory that this process alone writes to; the lock ends with the process, however it dies.
class RunDirectory {
 public:
  /// A new run in `path`, which is created. Throws ConfigError where it holds a run already (with the line that resumes
  /// it), is no directory, or is being written by another process; Error where it cannot be created or its
  /// disk is full.
  static RunDirectory create(const std::filesystem::path& path);
  /// A new directory results/<stem>-<seed>[-k].
  static RunDirectory create_numbered(const std::string& stem, std::uint64_t seed);
  /// The directory of a sweep, new or begun. Throws as create() does; a directory that holds a single run is refused.
  static RunDirectory sweep(const std::filesystem::path& path);
  /// The directory of a run that was begun. Throws ConfigError where there is none, or another process runs it.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }
  bool finished() const { return finished_summary(path_).has_value(); }
  /// Made by this process: no file in it is older.
  bool fresh() const noexcept { return fresh_; }

 private:
  RunDirectory(std::filesystem::path path, Descriptor lock, bool fresh = false)
      : path_(std::move(path)), lock_(std::move(lock)), fresh_(fresh) {}

  std::filesystem::path path_;
  Descriptor lock_;
  bool fresh_;
};

/// Makes the directory that --out names, and its parents; true where it was not there. Throws ConfigError where
/// something else has the name, Error where it cannot be created.
bool make_out_directory(const std::filesystem::path& path);

/// The directory holds a run or a sweep, finished or not.
bool holds_run(const std::filesystem::path& path);

}  // namespace politex::lab
