// politex sweep: plan, run what is missing, tell what failed.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/run_directory.hpp"
#include "politex/lab/run_record.hpp"
#include "politex/lab/shared_directory.hpp"
#include "politex/lab/sweep.hpp"
#include "politex/lab/tune.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;
using State = lab::CellResult::State;

std::vector<std::uint64_t> seeds_from(std::uint64_t first, int count) {
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

std::ptrdiff_t count(std::span<const lab::CellResult> results, State state) {
  return std::ranges::count(results, state, &lab::CellResult::state);
}

void tell_failures(const lab::SweepPlan& plan, std::span<const lab::CellResult> results) {
  if (const auto failed = count(results, State::failed); failed > 0)
    tell(fmt::format("{} of {} runs failed:", failed, results.size()));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].state == State::failed) tell(fmt::format("  {}: {}", plan.cells[i].name, results[i].message));
}

struct Planned {
  lab::SweepPlan plan;
  lab::Tuning tuning;
};

Planned plan(const SweepArguments& arguments) {
  Planned planned{lab::plan_sweep(arguments.file, arguments.grid, seeds_from(1, arguments.seeds)), {}};
  if (arguments.tune > 0) planned.tuning = lab::plan_tuning(planned.plan, arguments.tune);
  std::vector<std::string>& words = planned.plan.arguments = {"--seeds", fmt::format("{}", arguments.seeds)};
  if (arguments.tune > 0) words.insert(words.end(), {"--tune", fmt::format("{}", arguments.tune)});
  words.insert(words.end(), arguments.grid.begin(), arguments.grid.end());
  return planned;
}

// Of the ranks of a job the first holds the directory, and the others make sure that they see the same one.
std::optional<lab::RunDirectory> open_directory(const fs::path& path, Fleet* fleet) {
  std::optional<lab::RunDirectory> directory;
  std::error_code ignored;
  const bool before = fs::exists(path, ignored);
  together(fleet, [&] {
    if (speaks(fleet)) directory = lab::RunDirectory::sweep(path);
  });
  try {
    lab::require_shared_directory(fleet, path);
  } catch (const ConfigError&) {
    if (!before) fs::remove(path, ignored);  // bad input leaves nothing behind
    throw;
  }
  return directory;
}

// A tuning that was begun here goes on: rank 0 tells all what its record holds.
void keep_earlier(Planned& planned, const std::optional<lab::RunDirectory>& directory, const fs::path& path,
                  Fleet* fleet) {
  std::string text;
  together(fleet, [&] {
    if (directory && fs::exists(directory->file("sweep.json")))
      text = read_file("sweep.json", directory->file("sweep.json").string());
    if (lab::stages_in(text).empty()) text.clear();
  });
  if (fleet != nullptr) text = to_text(fleet->broadcast(to_bytes(text)));
  together(fleet, [&] { lab::keep_earlier(planned.plan, planned.tuning, lab::stages_in(text), path); });
}

// Directories of runs that are not of this plan: the results tell of the plan alone.
void tell_others(const lab::SweepPlan& plan, const fs::path& directory) {
  std::vector<std::string> names;
  for (const lab::SweepCell& cell : plan.cells) names.push_back(cell.name);
  std::ranges::sort(names);
  std::size_t others = 0;
  std::error_code error;
  for (fs::directory_iterator it(directory / "runs", error), end; !error && it != end; it.increment(error))
    if (it->is_directory(error) && !std::ranges::binary_search(names, it->path().filename().string())) ++others;
  if (others > 0)
    tell(fmt::format(
        "another sweep left {} of the directories in {}; sweep.json and results.csv now tell of this one alone", others,
        (directory / "runs").string()));
}

std::string done_text(const lab::SweepPlan& plan, std::span<const lab::CellResult> results) {
  return fmt::format("{} of {} runs done", count(results, State::done), plan.cells.size());
}

Error not_written(const Error& why, const lab::SweepPlan& plan, std::span<const lab::CellResult> results) {
  return Error(fmt::format("{}; {}, and kept: say the same command again when it can be written", why.what(),
                           done_text(plan, results)));
}

// What failed is told before anything is written: where the disk is full, that is why.
void record(const Planned& planned, std::span<const lab::CellResult> results, const std::string& json,
            const lab::RunDirectory& directory) {
  tell_failures(planned.plan, results);
  try {
    lab::write_atomically(directory.file("sweep.json"), json);
    lab::write_atomically(directory.file("results.csv"), lab::results_csv(planned.plan, results));
    if (planned.tuning.decided) lab::write_tuning(directory.path(), planned.tuning);
  } catch (const Error& error) {
    throw not_written(error, planned.plan, results);
  }
  tell_others(planned.plan, directory.path());
  tell(fmt::format("{}; {}", done_text(planned.plan, results), directory.file("results.csv").string()));
}

// A fresh run is in sweep.json before it begins: however the sweep ends, it is not taken for one that served to choose.
void record_choice(const Planned& planned, std::span<const lab::CellResult> results, const std::string& file,
                   const std::optional<lab::RunDirectory>& directory) {
  if (!directory) return;
  try {
    lab::write_atomically(directory->file("sweep.json"), lab::sweep_json(file, planned.plan, results));
  } catch (const Error& error) {
    tell_failures(planned.plan, results);
    throw not_written(error, planned.plan, results);
  }
}

std::vector<lab::CellResult> run(Planned& planned, const SweepArguments& arguments,
                                 const std::optional<lab::RunDirectory>& directory, Fleet* fleet,
                                 const std::atomic<int>& stop) {
  lab::LiveLine line(arguments.quiet || !speaks(fleet));
  lab::SweepOptions options;
  options.directory = arguments.out;
  options.jobs = arguments.jobs == 0 ? lab::cores_for(fleet) : arguments.jobs;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &stop;
  options.progress = [&](const lab::ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  options.fleet = fleet;
  options.share_results = arguments.tune > 0;
  if (arguments.tune == 0) return lab::run_cells(planned.plan.cells, options);
  return lab::run_tuning(planned.plan, planned.tuning, options, [&](std::span<const lab::CellResult> results) {
    together(fleet, [&] { record_choice(planned, results, arguments.file, directory); });
  });
}

}  // namespace

int sweep_command(const SweepArguments& arguments, Fleet* fleet) {
  Planned planned;
  together(fleet, [&] { planned = plan(arguments); });
  require_same(fleet, "sweep", lab::plan_text(planned.plan));
  const std::optional<lab::RunDirectory> directory = open_directory(arguments.out, fleet);
  keep_earlier(planned, directory, arguments.out, fleet);

  // Written before anything runs: a sweep that is killed is known for what it is, and what was done before stays done.
  together(fleet, [&] {
    if (!directory) return;
    const std::vector<lab::CellResult> there = lab::look_at_cells(planned.plan.cells, arguments.out);
    lab::write_atomically(directory->file("sweep.json"), lab::sweep_json(arguments.file, planned.plan, there));
  });
  const StopSignals signals;
  if (fleet != nullptr) fleet->watch(&signals.caught());
  const std::vector<lab::CellResult> results = [&] {
    try {
      return run(planned, arguments, directory, fleet, signals.caught());
    } catch (const LostRank& error) {
      throw LostRank(fmt::format("{}; to go on, say the same command again", error.what()));
    }
  }();
  if (!speaks(fleet)) return 0;

  const std::string json = lab::sweep_json(arguments.file, planned.plan, results);
  record(planned, results, json, *directory);
  if (signals.caught() != 0 || count(results, State::stopped) > 0) {
    tell("stopped; to go on, say the same command again");
    return signals.caught() != 0 ? 128 + signals.caught() : 1;
  }
  if (count(results, State::failed) > 0) return 1;
  if (arguments.json) print_out(json);
  return 0;
}

}  // namespace politex::cli
