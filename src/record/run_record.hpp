// Reads the directory of a run: settings, summary, progress. Works for unfinished and running runs too.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/record/progress_tail.hpp"

namespace politex::inline record {

struct RunRecord {
  std::filesystem::path directory;
  std::string name;                                           // relative to the requested directory
  std::vector<std::pair<std::string, std::string>> settings;  // of config.toml: "environment.size", "20"
  std::string config_text;
  bool finished = false;
  std::optional<std::string> failure;     // the reason in log.txt
  std::map<std::string, double> numbers;  // of summary.json: "segments.probe.average_cost"; average_cost while it runs
  std::map<std::string, std::string> words;
  std::vector<std::string> columns;       // of progress.csv
  std::vector<std::vector<double>> rows;  // thinned

  std::optional<double> number(const std::string& key) const;
  std::string setting(const std::string& key) const;  // "" if there is none
};

/// Directories with a config.toml, at or below `root`, sorted; symbolic links are not followed.
std::vector<std::filesystem::path> find_run_directories(const std::filesystem::path& root);

/// Never throws because of the content of a file: unreadable files and symbolic links are missing from the record.
RunRecord read_run(const std::filesystem::path& directory, const std::string& name, std::size_t most_rows = 512);

/// Reads all runs at or below the given directories. Throws ConfigError if one does not exist or none holds a run.
std::vector<RunRecord> read_runs(std::span<const std::filesystem::path> roots, std::size_t most_rows = 512);

/// Stages of a tuning: runs that choose a setting, and runs on fresh seeds that evaluate it.
inline constexpr const char* tuning_stage = "tuning";
inline constexpr const char* fresh_stage = "fresh";

/// The stage of every run of a tuning by name_in_json(), from the text of its sweep.json; empty for other sweeps and
/// invalid files.
std::map<std::string, std::string> stages_in(const std::string& sweep_json);

/// A name as JSON stores it: invalid UTF-8 such as "\xff" is replaced.
std::string name_in_json(const std::string& name);

/// The command of the sweep in this directory, from its sweep.json; empty if unknown.
std::string sweep_command(const std::filesystem::path& sweep);

/// Caches the stages of runs; reads a sweep.json again only when it changes.
class SweepStages {
 public:
  /// The stage of the run in this directory; empty if it does not belong to a tuning.
  std::string of(const std::filesystem::path& run);

 private:
  struct Sweep {
    std::string version;  // of its sweep.json
    std::map<std::string, std::string> stages;
  };
  std::map<std::filesystem::path, Sweep> sweeps_;
};

/// Stores the stage as a setting, so that the runs of the two stages form separate groups. Returns whether it changed.
bool set_stage(RunRecord& run, const std::string& stage);

/// A text that changes whenever the file is written or replaced; empty if there is no file.
std::string version_of(const std::filesystem::path& file);

/// Parses the "[table]" and "key = value" lines of a config.toml; ignores everything else.
std::vector<std::pair<std::string, std::string>> settings_of(const std::string& config_text);

}  // namespace politex::inline record
