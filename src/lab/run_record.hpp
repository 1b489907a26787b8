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

/// "[table]" and "key = value" lines, as config.toml is written; comments and anything else are left out.
std::vector<std::pair<std::string, std::string>> settings_of(const std::string& config_text);

}  // namespace politex::lab
