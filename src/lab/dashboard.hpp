// What the live dashboard knows about the runs under a directory, looked at again and again while they go on.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/progress_tail.hpp"
#include "politex/lab/run_record.hpp"

namespace politex::lab {

enum class RunState { running, done, stopped, failed };
const char* to_text(RunState state);

/// Not safe to use from several threads; runs that appear, grow, break or vanish between two looks are no error.
class Dashboard {
 public:
  explicit Dashboard(std::filesystem::path root) : root_(std::move(root)) {}

  /// Looks again; true when something to be shown has changed.
  bool refresh();

  /// [{"name", "state", "steps", "of", "average_cost", "environment", "algorithm", "seed", "why" it failed}, ...]
  std::string runs_json() const;
  /// All curves, thinned to what a browser can be sent every second.
  std::string curves_json() const;
  /// The directory of the run of that name; empty when there is none. Only what a look found has a name.
  std::filesystem::path find(const std::string& name) const;

 private:
  struct Entry {
    explicit Entry(const std::filesystem::path& directory) : tail(directory / "progress.csv", 128) {}
    RunRecord record;
    ProgressTail tail;
    RunState state = RunState::stopped;
    std::filesystem::file_time_type summary_time{};
    std::string origin;  // of its config.toml: another one is another run in the same place
  };

  bool look_at(Entry& entry, const std::set<std::string>& locked);

  std::filesystem::path root_;
  std::map<std::string, Entry> entries_;
  SweepStages stages_;
};

/// "major:minor:inode" of every file that some process has locked, as /proc/locks tells; asking takes no lock, so it
/// cannot be in the way of a run that begins.
std::set<std::string> locked_files(std::string_view proc_locks);

}  // namespace politex::lab
