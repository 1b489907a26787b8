#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <mutex>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/engine.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/records.hpp"
#include "politex/lab/sweep.hpp"
#include "politex/lab/toml.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(const SweepCell& cell, const SweepOptions& options) {
  return options.directory / "runs" / cell.name;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// What an earlier call left here must be the same run.
void check_directory(const SweepCell& cell, const SweepOptions& options) {
  const fs::path file = directory_of(cell, options) / "config.toml";
  if (!is_there(file)) return;
  // Through TOML, so that "auto" means the same on both sides.
  const std::string wanted = to_toml(cell.config);
  if (read_file("config.toml", file.string()) == wanted) return;
  const std::vector<std::string> differ =
      differences(read_config(file).config, build_config(parse_toml(wanted, "config.toml")).config);
  if (!differ.empty())
    throw ConfigError{file.string(),
                      fmt::format("is the configuration of another run (there, now): {}", fmt::join(differ, "; "))};
}

// Sums over the runs in flight, told one at a time.
class SharedProgress {
 public:
  SharedProgress(std::span<const SweepCell> cells, const SweepOptions& options)
      : options_(options), steps_(cells.size(), 0) {
    report_.label = "sweep";
    report_.runs = static_cast<int>(cells.size());
    for (const SweepCell& cell : cells) report_.total += cell.config.steps;
    report_.in_flight = 0;
  }

  void begin(std::size_t) {
    const std::lock_guard lock(mutex_);
    ++report_.in_flight;
  }
  void update(std::size_t index, const ProgressReport& one) {
    const std::lock_guard lock(mutex_);
    move_to(index, one.steps);
    report_.average_cost = one.average_cost;
    show();
  }
  void end(std::size_t index, std::int64_t steps) {
    const std::lock_guard lock(mutex_);
    move_to(index, steps);
    --report_.in_flight;
    ++report_.runs_done;
    show();
  }
  /// A run that was finished before: no work of this call.
  void skip(std::size_t index, std::int64_t steps) {
    const std::lock_guard lock(mutex_);
    steps_[index] = steps;
    report_.steps += steps;
    ++report_.runs_done;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void move_to(std::size_t index, std::int64_t steps) {
    worked_ += steps - steps_[index];
    report_.steps += steps - steps_[index];
    steps_[index] = steps;
  }
  void show() {
    if (!options_.progress) return;
    report_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    report_.steps_per_second = report_.seconds > 0.0 ? static_cast<double>(worked_) / report_.seconds : 0.0;
    options_.progress(report_);
  }

  const SweepOptions& options_;
  std::mutex mutex_;
  ProgressReport report_;
  std::vector<std::int64_t> steps_;
  std::int64_t worked_ = 0;
  Clock::time_point start_ = Clock::now();
};

CellResult run_cell(const SweepCell& cell, std::size_t index, const SweepOptions& options, SharedProgress& progress) {
  const fs::path path = directory_of(cell, options);
  const bool begun = is_there(path / "config.toml");
  std::unique_ptr<Run> run = options.make ? options.make(cell.config) : make_run(cell.config);
  const RunDirectory directory = begun ? RunDirectory::open(path) : RunDirectory::create(path);
  EngineOptions engine;
  engine.directory = &directory;
  engine.resume = begun;
  engine.checkpoint_seconds = options.checkpoint_seconds;
  engine.stop = options.stop;
  engine.progress = [&](const ProgressReport& report) { progress.update(index, report); };
  engine.say = options.say;
  CellResult result;
  if (!drive(*run, cell.config, engine)) return result;
  result.state = CellResult::State::done;
  result.summary = read_file("summary.json", (path / "summary.json").string());
  return result;
}

// Once a run has begun, the engine's log tells why it failed; one that could not even be made is told here.
void leave_trace(const SweepCell& cell, const SweepOptions& options, const std::string& why) {
  const fs::path directory = directory_of(cell, options);
  std::error_code failure;
  if (is_there(directory) || !fs::create_directories(directory, failure)) return;
  std::ofstream(directory / "config.toml", std::ios::binary) << to_toml(cell.config);
  append_log(directory, fmt::format("failed: {}", why));
}

CellResult run_cell_safely(const SweepCell& cell, std::size_t index, const SweepOptions& options,
                           SharedProgress& progress) {
  try {
    return run_cell(cell, index, options, progress);
  } catch (const std::exception& error) {
    leave_trace(cell, options, error.what());
    return {.state = CellResult::State::failed, .message = error.what(), .summary = {}};
  }
}

}  // namespace

std::vector<CellResult> run_cells(std::span<const SweepCell> cells, const SweepOptions& options) {
  for (const SweepCell& cell : cells) check_directory(cell, options);
  std::vector<CellResult> results(cells.size());
  SharedProgress progress(cells, options);
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const fs::path summary = directory_of(cells[i], options) / "summary.json";
    if (!is_there(summary)) {
      missing.push_back(i);
      continue;
    }
    results[i] = {
        .state = CellResult::State::done, .message = {}, .summary = read_file("summary.json", summary.string())};
    progress.skip(i, cells[i].config.steps);
  }
  run_jobs(missing, options.jobs, [&](std::size_t i) {
    if (options.stop != nullptr && options.stop->load() != 0) return;
    progress.begin(i);
    results[i] = run_cell_safely(cells[i], i, options, progress);
    progress.end(i, cells[i].config.steps);
  });
  return results;
}

}  // namespace politex::lab
