// The directory of one run: locking, creation, and whether its run is finished.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "politex/base/output_file.hpp"

namespace politex::inline record {

/// The last line of config.toml: a file without it is what a power failure left of it.
constexpr std::string_view end_of_config = "\n# End of the configuration.\n";

/// The text of summary.json if the run in `directory` is finished. Runs shorter than a second are not synced, so a
/// power failure may leave an incomplete summary.json or progress.csv: such a run is not finished.
std::optional<std::string> finished_summary(const std::filesystem::path& directory);

/// A directory locked for writing by this process; the lock ends with the process in any case.
class RunDirectory {
 public:
  /// Creates `path` for a new run. Throws ConfigError if it already holds a run (with the command that resumes it), is
  /// not a directory, or is in use by another process; Error if it cannot be created or the disk is full.
  static RunDirectory create(const std::filesystem::path& path);
  /// Creates a new directory results/<stem>-<seed>[-k].
  static RunDirectory create_numbered(const std::string& stem, std::uint64_t seed);
  /// Creates or opens the directory of a sweep. Throws like create(); a directory that holds a single run is refused.
  static RunDirectory sweep(const std::filesystem::path& path);
  /// Opens the directory of an existing run. Throws ConfigError if there is none or another process runs it.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }
  bool finished() const { return finished_summary(path_).has_value(); }
  /// Whether this process created the directory.
  bool fresh() const noexcept { return fresh_; }

 private:
  RunDirectory(std::filesystem::path path, Descriptor lock, bool fresh = false)
      : path_(std::move(path)), lock_(std::move(lock)), fresh_(fresh) {}

  std::filesystem::path path_;
  Descriptor lock_;
  bool fresh_;
};

/// Creates the directory given by --out and its parents; returns false if it existed. Throws ConfigError if the path is
/// not a directory, Error if it cannot be created.
bool make_out_directory(const std::filesystem::path& path);

/// Whether the directory holds a run or a sweep, finished or not.
bool holds_run(const std::filesystem::path& path);

}  // namespace politex::inline record
