#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/pool.hpp"
#include "politex/record/engine.hpp"
#include "politex/record/records.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/inputs.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline sweep {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(const SweepCell& cell, const SweepOptions& options) {
  return options.directory / "runs" / cell.name;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The directory of an earlier call must hold the same run: throws OtherRun where it does not, another Error where it
// cannot be read.
void check_directory(const SweepCell& cell, const fs::path& sweep) {
  const fs::path file = sweep / "runs" / cell.name / "config.toml";
  if (!holds_run(file.parent_path())) return;
  // Through TOML, so that "auto" means the same on both sides.
  const std::string wanted = to_toml(cell.config);
  if (read_file("config.toml", file.string()) != wanted) {
    const std::vector<std::string> differ =
        differences(read_config(file).config, build_config(parse_toml(wanted, "config.toml")).config);
    if (!differ.empty())
      throw OtherRun{file.string(),
                     fmt::format("is the configuration of another run (there, now): {}", fmt::join(differ, "; "))};
  }
  check_inputs(file.parent_path(), cell.config);
}

// Counters of the fleet.
constexpr int next_cell = 0;
constexpr int steps_elsewhere = 1;
constexpr int done_elsewhere = 2;

// The work of `steps` steps of a cell: the steps, or their estimated time where that is known.
std::int64_t work_of(const SweepCell& cell, std::int64_t steps) {
  return cell.cost_per_step > 0.0 ? static_cast<std::int64_t>(cell.cost_per_step * static_cast<double>(steps)) : steps;
}

// Sums over the runs in progress, reported one at a time; those of other ranks come through the fleet's counters.
class SharedProgress {
 public:
  SharedProgress(std::span<const SweepCell> cells, const SweepOptions& options, Fleet* fleet)
      : cells_(cells), options_(options), fleet_(fleet), steps_(cells.size(), 0) {
    report_.label = options.label;
    report_.runs = static_cast<int>(cells.size());
    for (const SweepCell& cell : cells) {
      report_.total += work_of(cell, cell.config.steps);
      if (cell.cost_per_step > 0.0) report_.in_steps = false;
    }
    report_.in_flight = 0;
  }

  void begin(std::size_t) {
    const std::lock_guard lock(mutex_);
    ++report_.in_flight;
  }
  void update(std::size_t index, const ProgressReport& one) {
    const std::lock_guard lock(mutex_);
    const std::int64_t before = work_of(cells_[index], one.before);
    if (const std::int64_t more = before - steps_[index]; more > 0) {  // done by an earlier call: no work of this one
      report_.steps += more;
      steps_[index] = before;
    }
    move_to(index, one.steps);
    report_.average_cost = one.average_cost;
    show();
  }
  /// The steps of a stopped run still count.
  void end(std::size_t index, std::int64_t steps, bool stopped) {
    const std::lock_guard lock(mutex_);
    --report_.in_flight;
    if (!stopped) {
      move_to(index, steps);
      ++report_.runs_done;
    }
    show();
  }
  void say(const SweepCell& cell, const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (options_.say) options_.say(fmt::format("{}: {}", cell.name, text));
  }
  /// A run that an earlier call finished: no work of this call.
  void skip(std::size_t index, std::int64_t steps) {
    const std::lock_guard lock(mutex_);
    steps_[index] = work_of(cells_[index], steps);
    report_.steps += steps_[index];
    ++report_.runs_done;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void move_to(std::size_t index, std::int64_t steps) {
    const std::int64_t now = work_of(cells_[index], steps);
    worked_ += now - steps_[index];
    report_.steps += now - steps_[index];
    steps_[index] = now;
  }
  void show() {
    if (fleet_ != nullptr) exchange();
    if (!options_.progress) return;
    ProgressReport all = report_;
    all.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    all.steps += steps_there_;
    all.runs_done += static_cast<int>(done_there_);
    all.steps_per_second = all.seconds > 0.0 ? static_cast<double>(worked_ + steps_there_) / all.seconds : 0.0;
    options_.progress(all);
  }
  // Once per second: the other ranks report their progress to rank 0.
  void exchange() {
    if (Clock::now() - exchanged_ < std::chrono::seconds(1)) return;
    exchanged_ = Clock::now();
    if (fleet_->rank() == 0) {
      steps_there_ = fleet_->fetch_add(steps_elsewhere, 0);
      done_there_ = fleet_->fetch_add(done_elsewhere, 0);
      return;
    }
    fleet_->fetch_add(steps_elsewhere, worked_ - steps_sent_);
    fleet_->fetch_add(done_elsewhere, report_.runs_done - done_sent_);
    steps_sent_ = worked_;
    done_sent_ = report_.runs_done;
  }

  std::span<const SweepCell> cells_;
  const SweepOptions& options_;
  Fleet* fleet_;
  std::mutex mutex_;
  ProgressReport report_;
  std::vector<std::int64_t> steps_;  // of every cell, or their estimated time
  std::int64_t worked_ = 0;
  std::int64_t steps_sent_ = 0, done_sent_ = 0, steps_there_ = 0, done_there_ = 0;
  Clock::time_point start_ = Clock::now(), exchanged_ = start_;
};

CellResult run_cell(const SweepCell& cell, std::size_t index, const SweepOptions& options, SharedProgress& progress,
                    bool& by_itself) {
  const fs::path path = directory_of(cell, options);
  const bool begun = holds_run(path);
  std::unique_ptr<Run> run;
  try {
    run = options.make ? options.make(cell.config) : make_run(cell.config, cell.run_options);
  } catch (const Error&) {
    by_itself = true;
    throw;
  }
  const RunDirectory directory = begun ? RunDirectory::open(path) : RunDirectory::create(path);
  EngineOptions engine;
  engine.directory = &directory;
  engine.resume = begun;
  engine.restart_damaged = true;  // nobody can be asked for each of many
  engine.summary_only = cell.summary_only;
  engine.curve = cell.curve;
  engine.checkpoint_seconds = options.checkpoint_seconds;
  engine.stop = options.stop;
  engine.progress = [&](const ProgressReport& report) { progress.update(index, report); };
  engine.say = [&](const std::string& text) { progress.say(cell, text); };
  engine.run_failed = &by_itself;
  CellResult result;
  // Another process may have finished it since the plan was made.
  if (!directory.finished() && !drive(*run, cell.config, engine)) return result;
  result.state = CellResult::State::done;
  result.summary = read_file("summary.json", (path / "summary.json").string());
  return result;
}

// A run that could not be created has no log of the engine: this writes the reason of the failure.
void leave_trace(const SweepCell& cell, const SweepOptions& options, const std::string& why) {
  const fs::path directory = directory_of(cell, options);
  std::error_code failure;
  if (is_there(directory) || !fs::create_directories(directory, failure)) return;
  try {
    write_atomically(directory / "config.toml", to_toml(cell.config));
  } catch (const WriteError&) {  // the reason of the failure is reported in any case
  }
  append_log(directory, fmt::format("failed: {}", why));
}

CellResult run_cell_safely(const SweepCell& cell, std::size_t index, const SweepOptions& options,
                           SharedProgress& progress) {
  bool by_itself = false;
  try {
    return run_cell(cell, index, options, progress, by_itself);
  } catch (const std::exception& error) {
    leave_trace(cell, options, reason_of(error));
    return {.state = CellResult::State::failed, .message = reason_of(error), .summary = {}, .by_itself = by_itself};
  }
}

CellResult look_at(const SweepCell& cell, const fs::path& sweep) {
  try {
    check_directory(cell, sweep);
  } catch (const OtherRun&) {
    throw;
  } catch (const Error& error) {  // a file is damaged or missing: only this cell fails
    return {.state = CellResult::State::failed, .message = error.what(), .summary = {}};
  }
  std::optional<std::string> summary = finished_summary(sweep / "runs" / cell.name);
  if (!summary) return {};
  return {.state = CellResult::State::done, .message = {}, .summary = std::move(*summary)};
}

void put_results(ByteWriter& to, std::span<const std::size_t> places, std::span<const CellResult> results) {
  to.put(static_cast<std::uint64_t>(places.size()));
  for (const std::size_t place : places) {
    to.put(static_cast<std::uint64_t>(place));
    to.put(results[place].state);
    to.put(results[place].message);
    to.put(results[place].summary);
    to.put(results[place].by_itself);
  }
}

void get_results(const Bytes& bytes, std::span<CellResult> results) {
  ByteReader from(bytes);
  for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
    CellResult& result = results[static_cast<std::size_t>(from.get<std::uint64_t>())];
    from.get(result.state);
    from.get(result.message);
    from.get(result.summary);
    from.get(result.by_itself);
  }
}

// Only rank 0 looks at the directories, because the runs of other ranks change what is missing.
std::vector<std::size_t> agree_on_missing(std::span<const SweepCell> cells, const SweepOptions& options, Fleet* fleet,
                                          std::span<CellResult> results) {
  std::vector<std::size_t> missing;
  together(fleet, [&] {
    if (fleet != nullptr && fleet->rank() != 0) return;
    const std::vector<CellResult> found = look_at_cells(cells, options.directory);
    std::ranges::copy(found, results.begin());
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].state == CellResult::State::stopped) missing.push_back(i);
    // The longest first, so that no core is left with a long run at the end; in their order where that is not known.
    std::ranges::stable_sort(missing, std::ranges::greater{}, [&](std::size_t i) {
      return cells[i].cost_per_step * static_cast<double>(cells[i].config.steps);
    });
  });
  if (fleet == nullptr) return missing;
  if (fleet->rank() == 0)
    for (int counter = 0; counter < Fleet::counters; ++counter)
      fleet->fetch_add(counter, -fleet->fetch_add(counter, 0));  // reset after an earlier call
  ByteWriter mine;
  mine.put(missing);
  const Bytes all = fleet->broadcast(mine.bytes());
  ByteReader(all).get(missing);
  return missing;
}

// Rank 0 receives the results of each rank, and sends all of them to all ranks where that is wanted.
void bring_together(const SweepOptions& options, Fleet& fleet, std::span<const std::size_t> ran,
                    std::span<CellResult> results) {
  if (fleet.rank() != 0) {
    ByteWriter mine;
    put_results(mine, ran, results);
    fleet.send(0, results_channel, mine.bytes());
  } else {
    for (int i = 1; i < fleet.size(); ++i) get_results(fleet.receive(results_channel).bytes, results);
  }
  if (!options.share_results) return;
  ByteWriter all;
  std::vector<std::size_t> places(results.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (fleet.rank() == 0) put_results(all, places, results);
  get_results(fleet.broadcast(all.bytes()), results);
}

}  // namespace

std::vector<CellResult> look_at_cells(std::span<const SweepCell> cells, const fs::path& sweep) {
  std::vector<CellResult> results;
  for (const SweepCell& cell : cells) results.push_back(look_at(cell, sweep));
  return results;
}

std::vector<CellResult> run_cells(std::span<const SweepCell> cells, const SweepOptions& options) {
  Fleet* fleet = options.fleet != nullptr && options.fleet->size() > 1 ? options.fleet : nullptr;
  std::vector<CellResult> results(cells.size());
  const std::vector<std::size_t> missing = agree_on_missing(cells, options, fleet, results);
  SharedProgress progress(cells, options, fleet);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (results[i].state == CellResult::State::done) progress.skip(i, cells[i].config.steps);
  std::mutex ran_lock;
  std::vector<std::size_t> ran;
  const auto run_one = [&](std::size_t i) {
    if (options.stop != nullptr && options.stop->load() != 0) return;
    progress.begin(i);
    results[i] = run_cell_safely(cells[i], i, options, progress);
    progress.end(i, cells[i].config.steps, results[i].state == CellResult::State::stopped);
    const std::lock_guard lock(ran_lock);
    ran.push_back(i);
  };
  if (fleet == nullptr) {
    run_jobs(missing, options.jobs, run_one);
    return results;
  }
  run_jobs(missing, options.jobs, run_one,
           [fleet] { return static_cast<std::size_t>(fleet->fetch_add(next_cell, 1)); });
  bring_together(options, *fleet, ran, results);
  return results;
}

}  // namespace politex::inline sweep
