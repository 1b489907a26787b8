// The state of the runs below a directory, refreshed periodically for the live dashboard.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "politex/record/progress_tail.hpp"
#include "politex/record/run_record.hpp"

namespace politex::inline serve {

enum class RunState { running, done, stopped, failed };
const char* to_text(RunState state);

/// Not thread-safe. Runs may appear, grow, break or disappear between two refreshes.
class Dashboard {
 public:
  explicit Dashboard(std::filesystem::path root) : root_(std::move(root)) {}

  /// Reads the directory again; returns whether anything shown has changed.
  bool refresh();

  /// [{"name", "state", "steps", "of", "average_cost", "environment", "algorithm", "seed", "why", "settings"}, ...];
  /// why: the reason of failure; settings: those in which the runs differ
  std::string runs_json() const;
  /// All curves, thinned enough to be sent to a browser every second, and best_json() as "best".
  std::string curves_json() const;
  /// The directory of the run of that name; empty if refresh() found no such run.
  std::filesystem::path find(const std::string& name) const;

 private:
  struct Entry {
    explicit Entry(const std::filesystem::path& directory) : tail(directory / "progress.csv", 128) {}
    RunRecord record;
    ProgressTail tail;
    RunState state = RunState::stopped;
    std::filesystem::file_time_type summary_time{};
    std::string origin;  // version of its config.toml; another version means another run in the same directory
  };

  std::vector<std::string> varying_settings() const;
  bool update(Entry& entry, const std::set<std::string>& locked);

  std::filesystem::path root_;
  std::map<std::string, Entry> entries_;
  SweepStages stages_;
};

/// "major:minor:inode" of every locked file in the text of /proc/locks. Reading it takes no lock, so it cannot block a
/// run that starts.
std::set<std::string> locked_files(std::string_view proc_locks);

}  // namespace politex::inline serve
