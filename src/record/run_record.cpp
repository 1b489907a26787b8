#include "politex/record/run_record.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/record/records.hpp"

namespace politex::inline record {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t largest_small_file = 1 << 22;
constexpr std::uint64_t largest_sweep_file = 1 << 28;

std::string text_of(const fs::path& file, std::uint64_t largest = largest_small_file) {
  std::error_code failure;
  if (fs::symlink_status(file, failure).type() != fs::file_type::regular) return {};
  try {
    return read_file("file", file, largest);
  } catch (const Error&) {
    return {};
  }
}

// Our summaries are four objects deep; unlimited depth could overflow the stack.
void flatten(const Json& value, const std::string& key, RunRecord& record, int depth = 0) {
  constexpr int deepest = 16;
  if (value.is_object()) {
    if (depth == deepest) return;
    for (const auto& [name, inner] : value.items())
      flatten(inner, key.empty() ? name : key + "." + name, record, depth + 1);
  } else if (value.is_number()) {
    record.numbers[key] = value.get<double>();
  } else if (value.is_string()) {
    record.words[key] = value.get<std::string>();
  }
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Directories may disappear during the search, or be those of somebody else; symbolic links are not followed.
void look_into(const fs::path& directory, std::vector<fs::path>& found) {
  if (::access(directory.c_str(), R_OK | X_OK) != 0) return;
  for (const fs::path& entry : entries_of(directory)) {
    std::error_code gone;
    const fs::file_type type = fs::symlink_status(entry, gone).type();
    if (type == fs::file_type::directory)
      look_into(entry, found);
    else if (type == fs::file_type::regular && entry.filename() == "config.toml")
      found.push_back(directory);
  }
}

}  // namespace

std::optional<double> RunRecord::number(const std::string& key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

std::string RunRecord::setting(const std::string& key) const {
  const auto found = std::ranges::find(settings, key, [](const auto& pair) { return pair.first; });
  return found == settings.end() ? "" : found->second;
}

std::map<std::string, std::string> stages_in(const std::string& sweep_json) {
  std::map<std::string, std::string> stages;
  if (sweep_json.find("\"stage\"") == std::string::npos)
    return stages;  // most sweeps are not tunings, and may be large
  const Json json = Json::parse(sweep_json, nullptr, false);
  if (!json.is_object() || !json.contains("runs") || !json["runs"].is_array()) return stages;
  const auto word = [](const Json& run, const char* key) {
    return run.is_object() && run.contains(key) && run[key].is_string() ? run[key].get<std::string>() : std::string();
  };
  for (const Json& run : json["runs"]) {
    const std::string stage = word(run, "stage");
    if (stage == tuning_stage || stage == fresh_stage) stages[word(run, "name")] = stage;
  }
  return stages;
}

std::string sweep_command(const fs::path& sweep) {
  const Json json = Json::parse(text_of(sweep / "sweep.json", largest_sweep_file), nullptr, false);
  if (!json.is_object() || !json.contains("file") || !json["file"].is_string()) return {};
  if (!json.contains("arguments") || !json["arguments"].is_array()) return {};
  std::string command = "politex sweep " + shell_word(json["file"].get<std::string>());
  for (const Json& word : json["arguments"])
    if (word.is_string()) command += " " + shell_word(word.get<std::string>());
  return command + " --out " + shell_word(sweep.string());
}

std::string name_in_json(const std::string& name) {
  return Json::parse(Json(name).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

std::string SweepStages::of(const fs::path& run) {
  std::error_code unknown;
  fs::path whole = fs::absolute(run, unknown).lexically_normal();  // "." has no parent path
  if (!whole.has_filename()) whole = whole.parent_path();
  const fs::path directory = whole.parent_path().parent_path();
  Sweep& sweep = sweeps_[directory];
  if (const std::string version = version_of(directory / "sweep.json"); version != sweep.version) {
    sweep.version = version;
    sweep.stages = stages_in(text_of(directory / "sweep.json", largest_sweep_file));
  }
  if (sweep.stages.empty()) return {};
  const auto found = sweep.stages.find(name_in_json(whole.filename().string()));
  return found == sweep.stages.end() ? "" : found->second;
}

bool set_stage(RunRecord& run, const std::string& stage) {
  if (run.setting("stage") == stage) return false;
  std::erase_if(run.settings, [](const auto& setting) { return setting.first == "stage"; });
  if (!stage.empty()) run.settings.emplace_back("stage", stage);
  return true;
}

std::string version_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return {};
  return fmt::format("{}:{} {}.{:09} {}", status.st_dev, status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                     status.st_size);
}

std::vector<std::pair<std::string, std::string>> settings_of(const std::string& config_text) {
  std::vector<std::pair<std::string, std::string>> settings;
  std::string table;
  for (std::size_t begin = 0; begin < config_text.size();) {
    const std::size_t end = std::min(config_text.find('\n', begin), config_text.size());
    const std::string_view line = trimmed(std::string_view(config_text).substr(begin, end - begin));
    begin = end + 1;
    if (line.size() > 2 && line.front() == '[' && line.back() == ']') {
      table = std::string(line.substr(1, line.size() - 2)) + ".";
    } else if (const auto equals = line.find('='); equals != std::string_view::npos && line.front() != '#') {
      std::string_view value = trimmed(line.substr(equals + 1));
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
      settings.emplace_back(table + std::string(trimmed(line.substr(0, equals))), std::string(value));
    }
  }
  return settings;
}

std::vector<fs::path> find_run_directories(const fs::path& root) {
  std::vector<fs::path> found;
  look_into(root, found);
  std::ranges::sort(found);
  return found;
}

RunRecord read_run(const fs::path& directory, const std::string& name, std::size_t most_rows) {
  RunRecord record;
  record.directory = directory;
  record.name = name;
  record.config_text = text_of(directory / "config.toml");
  record.settings = settings_of(record.config_text);
  const Json summary = Json::parse(text_of(directory / "summary.json"), nullptr, false);
  record.finished = summary.is_object();
  if (record.finished)
    flatten(summary, "", record);
  else
    record.failure = failure_in_log(directory / "log.txt");
  ProgressTail progress(directory / "progress.csv", most_rows);
  progress.update();
  record.columns = progress.names();
  record.rows = progress.rows();
  const auto cost = std::ranges::find(record.columns, "average_cost");
  if (!record.finished && !record.rows.empty() && cost != record.columns.end()) {
    record.numbers["average_cost"] = record.rows.back()[static_cast<std::size_t>(cost - record.columns.begin())];
  }
  return record;
}

std::vector<RunRecord> read_runs(std::span<const fs::path> roots, std::size_t most_rows) {
  std::vector<RunRecord> runs;
  std::set<fs::path> seen;  // a run that is reached twice is read once
  for (const fs::path& root : roots) {
    std::error_code unknown;
    if (!fs::is_directory(root, unknown)) {
      throw ConfigError(
          "DIR",
          fmt::format("\"{}\" is not a directory; accepted: a run, a sweep, or a directory of them", root.string()));
    }
    for (const fs::path& directory : find_run_directories(root)) {
      if (!seen.insert(fs::weakly_canonical(directory, unknown)).second) continue;
      const std::string inner = directory.lexically_relative(root).string();
      const std::string outer = root.lexically_normal().string();
      runs.push_back(
          read_run(directory, inner == "." ? outer : (roots.size() == 1 ? inner : outer + "/" + inner), most_rows));
    }
  }
  if (runs.empty()) throw ConfigError("DIR", "no run found; accepted: directories with a config.toml, at any depth");
  SweepStages stages;
  for (RunRecord& run : runs) set_stage(run, stages.of(run.directory));
  return runs;
}

}  // namespace politex::inline record
