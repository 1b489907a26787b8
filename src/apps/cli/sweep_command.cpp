// politex sweep: plans the grid, runs what is missing, and reports failures.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/output_file.hpp"
#include "politex/base/pool.hpp"
#include "politex/base/shared_directory.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/record/run_record.hpp"
#include "politex/report/best_section.hpp"
#include "politex/run/parts.hpp"
#include "politex/run/run.hpp"
#include "politex/sweep/sweep.hpp"
#include "politex/sweep/tune.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;
using State = CellResult::State;

std::vector<std::uint64_t> seeds_from(std::uint64_t first, int count) {
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

std::ptrdiff_t count(std::span<const CellResult> results, State state) {
  return std::ranges::count(results, state, &CellResult::state);
}

void print_failures(const SweepPlan& plan, std::span<const CellResult> results) {
  if (const auto failed = count(results, State::failed); failed > 0)
    print_message(fmt::format("{} of {} runs failed:", failed, results.size()));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].state == State::failed)
      print_message(fmt::format("  {}: {}", plan.cells[i].name, results[i].message));
}

struct Planned {
  SweepPlan plan;
  Tuning tuning;
};

Planned plan(const SweepArguments& arguments) {
  Planned planned{plan_sweep(arguments.file, arguments.grid, seeds_from(1, arguments.seeds)), {}};
  if (arguments.tune > 0) planned.tuning = plan_tuning(planned.plan, arguments.tune);
  std::vector<std::string>& words = planned.plan.arguments = {"--seeds", fmt::format("{}", arguments.seeds)};
  if (arguments.tune > 0) words.insert(words.end(), {"--tune", fmt::format("{}", arguments.tune)});
  words.insert(words.end(), arguments.grid.begin(), arguments.grid.end());
  return planned;
}

// Rank 0 locks the directory; the other ranks check that they see the same one.
std::optional<RunDirectory> open_directory(const fs::path& path, Fleet* fleet) {
  std::optional<RunDirectory> directory;
  std::error_code ignored;
  const bool before = fs::exists(path, ignored);
  together(fleet, [&] {
    if (speaks(fleet)) directory = RunDirectory::sweep(path);
  });
  try {
    require_shared_directory(fleet, path);
  } catch (const ConfigError&) {
    if (!before) fs::remove(path, ignored);  // bad input must leave no files
    throw;
  }
  return directory;
}

// Resumes an earlier tuning in this directory: rank 0 sends its record to all ranks.
void keep_earlier(Planned& planned, const std::optional<RunDirectory>& directory, const fs::path& path, Fleet* fleet) {
  std::string text;
  together(fleet, [&] {
    if (directory && fs::exists(directory->file("sweep.json")))
      text = read_file("sweep.json", directory->file("sweep.json").string());
    if (stages_in(text).empty()) text.clear();
  });
  if (fleet != nullptr) text = to_text(fleet->broadcast(to_bytes(text)));
  together(fleet, [&] { keep_earlier(planned.plan, planned.tuning, stages_in(text), path); });
}

// Reports directories of runs that do not belong to this plan and are not in the results.
void print_others(const SweepPlan& plan, const fs::path& directory) {
  std::vector<std::string> names;
  for (const SweepCell& cell : plan.cells) names.push_back(cell.name);
  std::ranges::sort(names);
  std::size_t others = 0;
  std::error_code error;
  for (const fs::path& entry : entries_of(directory / "runs"))
    if (fs::is_directory(entry, error) && !std::ranges::binary_search(names, entry.filename().string())) ++others;
  if (others > 0)
    print_message(
        fmt::format("{} directories in {} belong to another sweep; sweep.json and results.csv contain only this sweep",
                    others, (directory / "runs").string()));
}

std::string done_text(const SweepPlan& plan, std::span<const CellResult> results) {
  return fmt::format("{} of {} runs done", count(results, State::done), plan.cells.size());
}

Error not_written(const Error& why, const SweepPlan& plan, std::span<const CellResult> results) {
  return Error(
      fmt::format("{}; {} and kept. Rerun the same command when there is space", why.what(), done_text(plan, results)));
}

// The best setting of each environment, from the summaries that are in memory already.
void print_best(const SweepPlan& plan, std::span<const CellResult> results) {
  std::vector<RunRecord> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].state != State::done) continue;
    const auto summary = nlohmann::json::parse(results[i].summary, nullptr, false);
    if (!summary.is_object() || !summary.value("average_cost", nlohmann::json()).is_number()) continue;
    RunRecord& run = runs.emplace_back();
    run.settings = plan.cells[i].settings;
    if (run.setting("seed").empty()) run.settings.emplace_back("seed", fmt::format("{}", plan.cells[i].config.seed));
    if (!plan.cells[i].stage.empty()) run.settings.emplace_back("stage", plan.cells[i].stage);
    run.finished = true;
    for (const char* key : {"average_cost", "optimal_gain"})
      if (const auto value = summary.find(key); value != summary.end() && value->is_number())
        run.numbers[key] = value->get<double>();
    run.words["signature"] = summary.value("signature", "");
  }
  constexpr std::size_t most = 5;
  for (const std::string& line : best_lines(runs, most)) print_message("best: " + line);
}

// Failures are printed before anything is written, because a full disk may cause both.
void record(const Planned& planned, std::span<const CellResult> results, const std::string& json,
            const RunDirectory& directory) {
  print_failures(planned.plan, results);
  try {
    write_atomically(directory.file("sweep.json"), json);
    write_atomically(directory.file("results.csv"), results_csv(planned.plan, results));
    if (planned.tuning.decided) write_tuning(directory.path(), planned.tuning);
  } catch (const Error& error) {
    throw not_written(error, planned.plan, results);
  }
  print_others(planned.plan, directory.path());
  print_message(fmt::format("{}; {}", done_text(planned.plan, results), directory.file("results.csv").string()));
  print_best(planned.plan, results);
}

// Fresh runs are in sweep.json before they start, so that they are never mistaken for tuning runs.
void record_choice(const Planned& planned, std::span<const CellResult> results, const std::string& file,
                   const std::optional<RunDirectory>& directory) {
  if (!directory) return;
  try {
    write_atomically(directory->file("sweep.json"), sweep_json(file, planned.plan, results));
  } catch (const Error& error) {
    print_failures(planned.plan, results);
    throw not_written(error, planned.plan, results);
  }
}

std::vector<CellResult> run(Planned& planned, const SweepArguments& arguments,
                            const std::optional<RunDirectory>& directory, Fleet* fleet, const std::atomic<int>& stop) {
  LiveLine line(arguments.quiet || !speaks(fleet));
  SweepOptions options;
  options.directory = arguments.out;
  options.jobs = arguments.jobs == 0 ? cores_for(fleet) : arguments.jobs;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &stop;
  options.progress = [&](const ProgressReport& report) { line.show(report); };
  options.say = [&](const std::string& text) { line.say("politex: " + text); };
  options.fleet = fleet;
  options.share_results = arguments.tune > 0;
  if (arguments.tune == 0) return run_cells(planned.plan.cells, options);
  return run_tuning(planned.plan, planned.tuning, options, [&](std::span<const CellResult> results) {
    together(fleet, [&] { record_choice(planned, results, arguments.file, directory); });
  });
}

// Whether an environment in another process exists is known when it starts: before any run, once for each.
void try_environments(const SweepPlan& plan, const std::filesystem::path& out) {
  std::set<std::string> tried;
  for (const SweepCell& cell : plan.cells) {
    if (known_space(cell.config) || holds_run(out / "runs" / cell.name)) continue;
    std::string settings;
    for (const Key* key : cell.config.keys())
      if (key->table() == "environment") settings += plain_text(*key, cell.config.value(*key)) + '\n';
    if (tried.insert(settings).second) make_run(cell.config, cell.run_options);
  }
}

}  // namespace

int sweep_command(const SweepArguments& arguments, Fleet* fleet) {
  Planned planned;
  together(fleet, [&] { planned = plan(arguments); });
  together(fleet, [&] {
    if (speaks(fleet)) try_environments(planned.plan, arguments.out);
  });
  require_same(fleet, "sweep", plan_text(planned.plan));
  const std::optional<RunDirectory> directory = open_directory(arguments.out, fleet);
  keep_earlier(planned, directory, arguments.out, fleet);

  // Written before anything runs, so that a killed sweep can be recognised and its finished runs are kept.
  together(fleet, [&] {
    if (!directory) return;
    const std::vector<CellResult> there = look_at_cells(planned.plan.cells, arguments.out);
    write_atomically(directory->file("sweep.json"), sweep_json(arguments.file, planned.plan, there));
  });
  const StopSignals signals;
  if (fleet != nullptr) fleet->watch(&signals.caught());
  const std::vector<CellResult> results = [&] {
    try {
      return run(planned, arguments, directory, fleet, signals.caught());
    } catch (const LostRank& error) {
      throw LostRank(fmt::format("{}; to resume, rerun the same command", error.what()));
    }
  }();
  if (!speaks(fleet)) return 0;

  const std::string json = sweep_json(arguments.file, planned.plan, results);
  record(planned, results, json, *directory);
  const auto waited_for = std::ranges::count_if(results, failed_for_now);
  if (signals.caught() == 0 && arguments.tune > 0 && !planned.tuning.decided && waited_for > 0) {
    print_message(
        fmt::format("no setting is chosen yet: {} of {} tuning runs failed for a reason that may pass (disk, "
                    "files or memory). To finish the tuning, rerun the same command",
                    waited_for, results.size()));
    return 1;
  }
  if (signals.caught() != 0 || count(results, State::stopped) > 0) {
    print_message("stopped; to resume, rerun the same command");
    return signals.caught() != 0 ? 128 + signals.caught() : 1;
  }
  if (count(results, State::failed) > 0) return 1;
  if (arguments.json) print_out(json);
  return 0;
}

}  // namespace politex::cli
