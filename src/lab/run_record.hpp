// A run as its directory tells it: settings, summary, progress. Reads whatever is there, also while the run goes on.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/lab/progress_tail.hpp"

namespace politex::lab {

struct RunRecord {
  std::filesystem::path directory;
  std::string name;                                           // relative to the directory that was asked for
  std::vector<std::pair<std::string, std::string>> settings;  // of config.toml: "environment.size", "20"
  std::string config_text;
  bool finished = false;
  std::optional<std::string> failure;     // why it failed, as log.txt tells
  std::map<std::string, double> numbers;  // of summary.json: "segments.probe.average_cost"; average_cost while it runs
  std::map<std::string, std::string> words;
  std::vector<std::string> columns;       // of progress.csv
  std::vector<std::vector<double>> rows;  // thinned

  std::optional<double> number(const std::string& key) const;
  std::string setting(const std::string& key) const;  // "" where there is none
};

/// Directories with a config.toml, at or below `root`, sorted; symbolic links are not followed.
std::vector<std::filesystem::path> find_run_directories(const std::filesystem::path& root);

/// Never throws for what a file holds: what cannot be read, or is a symbolic link, is missing from the record.
RunRecord read_run(const std::filesystem::path& directory, const std::string& name, std::size_t most_rows = 512);

/// All runs at or below the given directories. Throws ConfigError where one does not exist or none holds a run.
std::vector<RunRecord> read_runs(std::span<const std::filesystem::path> roots, std::size_t most_rows = 512);

/// Stages of a tuning's runs: those that serve to choose a setting, and those that judge it.
inline constexpr const char* tuning_stage = "tuning";
inline constexpr const char* fresh_stage = "fresh";

/// The stage of every run of a tuning, by the run's name in JSON, as the text of its sweep.json tells; empty for any
/// other sweep, and for what is no sweep.json.
std::map<std::string, std::string> stages_in(const std::string& sweep_json);

/// What becomes of a name in JSON, which has no bytes beside UTF-8: "\xff" is another one there.
std::string name_in_json(const std::string& name);

/// The command of the sweep in this directory, as its sweep.json tells; empty where it tells none.
std::string sweep_command(const std::filesystem::path& sweep);

/// The stages of runs that are looked at again and again; a sweep.json is read once for every time that it changes.
class SweepStages {
 public:
  /// The stage of the run in this directory; empty where it is none of a tuning's.
  std::string of(const std::filesystem::path& run);

 private:
  struct Sweep {
    std::string version;  // of its sweep.json
    std::map<std::string, std::string> stages;
  };
  std::map<std::filesystem::path, Sweep> sweeps_;
};

/// A tuning's runs that served to choose must not be mixed with those that judge: the stage becomes a setting, which
/// makes them groups of their own. True where it was another.
bool set_stage(RunRecord& run, const std::string& stage);

/// Another text whenever the file was written or replaced; empty where there is none.
std::string version_of(const std::filesystem::path& file);

/// "[table]" and "key = value" lines, as config.toml is written; comments and anything else are left out.
std::vector<std::pair<std::string, std::string>> settings_of(const std::string& config_text);

}  // namespace politex::lab
