#include "politex/serve/dashboard.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "politex/base/unknown.hpp"
#include "politex/record/records.hpp"
#include "politex/report/best_section.hpp"
#include "politex/report/comparison.hpp"
#include "politex/report/curves.hpp"

namespace politex::inline serve {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_cells_sent = 60'000;

std::string identity(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
}

// If the served directory is itself a run, the run has the name of the directory, also for paths such as ".".
std::string own_name(const fs::path& directory) {
  std::error_code unknown;
  const fs::path whole = fs::weakly_canonical(directory, unknown);
  return whole.has_filename() ? whole.filename().string() : "run";
}

std::string whole_file(const char* file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string whole_number(double value) { return std::isfinite(value) ? fmt::format("{:.0f}", value) : "null"; }

/// "\"algorithm.eta\":\"0.1\"" of the keys that a run has.
std::string settings_json(const RunRecord& record, const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys)
    if (std::ranges::find(record.settings, key, &std::pair<std::string, std::string>::first) != record.settings.end())
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", json_text(key), json_text(record.setting(key)));
  return text;
}

double newest(const RunRecord& record, const char* column) {
  const auto found = std::ranges::find(record.columns, column);
  if (record.rows.empty() || found == record.columns.end()) return unknown;
  return record.rows.back()[static_cast<std::size_t>(found - record.columns.begin())];
}

}  // namespace

const char* to_text(RunState state) {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::done:
      return "done";
    case RunState::failed:
      return "failed";
    case RunState::stopped:
      break;
  }
  return "stopped";
}

std::set<std::string> locked_files(std::string_view proc_locks) {
  // "1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF"
  std::set<std::string> locked;
  for (std::size_t begin = 0; begin < proc_locks.size();) {
    const std::size_t end = std::min(proc_locks.find('\n', begin), proc_locks.size());
    std::string_view line = proc_locks.substr(begin, end - begin);
    begin = end + 1;
    for (int word = 0; !line.empty(); ++word) {
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      const std::size_t length = std::min(line.find(' '), line.size());
      if (word == 1 && line.substr(0, length) == "->") break;  // a process that waits for the lock does not hold it
      if (word == 5) locked.emplace(line.substr(0, length));
      line.remove_prefix(length);
    }
  }
  return locked;
}

bool Dashboard::update(Entry& entry, const std::set<std::string>& locked) {
  const fs::path& directory = entry.record.directory;
  bool changed = false;
  if (entry.tail.update()) {
    entry.record.columns = entry.tail.names();
    entry.record.rows = entry.tail.rows();
    changed = true;
  }
  std::error_code failure;
  const auto summary_time = fs::last_write_time(directory / "summary.json", failure);
  if (failure && entry.record.finished) {
    entry.record.finished = false;
    entry.summary_time = {};
    changed = true;
  }
  if (!failure && summary_time != entry.summary_time) {
    RunRecord whole = read_run(directory, entry.record.name, 1);
    if (whole.finished) {  // otherwise it is incomplete, and the next refresh reads it
      entry.record.finished = true;
      entry.record.numbers = std::move(whole.numbers);
      entry.summary_time = summary_time;
      changed = true;
    }
  }
  const RunState before = entry.state;
  if (entry.record.finished) {
    entry.state = RunState::done;
  } else if (locked.contains(identity(directory))) {
    entry.state = RunState::running;
    entry.record.failure.reset();  // from before it resumed
  } else {
    entry.record.failure = failure_in_log(directory / "log.txt");
    entry.state = entry.record.failure ? RunState::failed : RunState::stopped;
  }
  return changed || before != entry.state;
}

bool Dashboard::refresh() {
  const std::set<std::string> locked = locked_files(whole_file("/proc/locks"));
  std::map<std::string, Entry> now;
  bool changed = false;
  for (const fs::path& directory : find_run_directories(root_)) {
    const std::string inner = directory.lexically_relative(root_).string();
    const std::string name = inner == "." || inner.empty() ? own_name(directory) : inner;
    const std::string origin = version_of(directory / "config.toml");
    auto known = entries_.extract(name);
    if (known.empty() || known.mapped().origin != origin) {
      Entry& entry = now.emplace(name, Entry(directory)).first->second;
      entry.record = read_run(directory, name, 1);
      entry.record.finished = false;  // update() reads the summary
      entry.origin = origin;
      changed = true;
    } else {
      now.insert(std::move(known));
    }
    Entry& entry = now.at(name);
    changed = update(entry, locked) || changed;
    changed = set_stage(entry.record, stages_.of(directory)) || changed;
  }
  changed = changed || !entries_.empty();  // the remaining entries have disappeared
  entries_ = std::move(now);
  return changed;
}

std::vector<std::string> Dashboard::varying_settings() const {
  std::map<std::string, std::pair<std::string, std::size_t>> seen;  // the first value, and how many runs have it
  for (const auto& [name, entry] : entries_)
    for (const auto& [key, value] : entry.record.settings) {
      const auto first = seen.try_emplace(key, value, 0).first;
      if (first->second.first == value) ++first->second.second;
    }
  const std::set<std::string_view> columns = {"steps", "seed", "environment.name", "algorithm.name"};
  std::vector<std::string> varying;
  for (const auto& [key, first] : seen)
    if (first.second < entries_.size() && !columns.contains(key)) varying.push_back(key);
  return varying;
}

std::string Dashboard::runs_json() const {
  const std::vector<std::string> varying = varying_settings();
  std::string text = "[";
  for (const auto& [name, entry] : entries_) {
    const RunRecord& record = entry.record;
    const auto cost = record.number("average_cost");
    text += fmt::format(
        "{}{{\"name\":{},\"state\":\"{}\",\"steps\":{},\"of\":{},\"average_cost\":{},\"environment\":{},"
        "\"algorithm\":{},\"seed\":{},\"why\":{},\"settings\":{{{}}}}}",
        text.size() > 1 ? "," : "", json_text(name), to_text(entry.state), whole_number(newest(record, "steps")),
        json_text(record.setting("steps")),
        json_number(record.finished && cost ? *cost : newest(record, "average_cost")),
        json_text(record.setting("environment.name")), json_text(record.setting("algorithm.name")),
        json_text(record.setting("seed")),
        json_text(entry.state == RunState::failed ? record.failure.value_or("") : ""), settings_json(record, varying));
  }
  text += ']';
  return text;
}

std::string Dashboard::curves_json() const {
  std::vector<RunRecord> records;
  records.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) records.push_back(entry.record);
  if (records.empty()) return R"({"steps":[],"metrics":[],"runs":[],"groups":[],"values":[]})";
  const std::vector<RunGroup> groups = group_runs(records);
  std::string text = politex::curves_json(records, groups, most_cells_sent);
  text.insert(1, fmt::format("\"best\":{},", best_json(records, groups)));
  return text;
}

fs::path Dashboard::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? fs::path() : found->second.record.directory;
}

}  // namespace politex::inline serve
