// Sweeps: a grid of settings x seeds, each cell a run directory. The plan depends on the file and the grid only, so
// that rerunning the same command finishes missing runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/base/fleet.hpp"
#include "politex/record/live_line.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run.hpp"

namespace politex::inline sweep {

/// One run of a sweep. `settings` are the grid's keys that have an effect on it, in the order given.
struct SweepCell {
  std::string name;  // "key=value,...,seed=S", the directory's name
  std::vector<std::pair<std::string, std::string>> settings;
  Config config;
  std::string stage = {};       // of a tuning's run: tuning_stage or fresh_stage
  double cost_per_step = 0.0;   // estimated time per step in any unit; 0: not known. Cells that take longer start first
  RunOptions run_options = {};  // what the run may leave out
  bool summary_only = false;    // as in EngineOptions
  bool curve = false;           // likewise; only with summary_only

  /// The value of a grid key, empty where it has no effect.
  std::string setting(const std::string& key) const;
};

struct SweepPlan {
  std::vector<std::string> keys;  // of the grid, in the order given
  std::vector<SweepCell> cells;   // settings in the grid's order (the last key fastest), then seeds
  std::vector<std::string> warnings;
  std::vector<std::string> arguments = {};  // of the command after its file, without --out and --jobs
};

/// Every setting of the grid ("key=v1,v2,...") with every seed. A key that has no effect on a cell is left out there,
/// and cells that would be equal are one. Throws ConfigError where anything is not accepted, before anything runs.
SweepPlan plan_sweep(const std::filesystem::path& file, std::span<const std::string> grid,
                     std::span<const std::uint64_t> seeds);

struct SweepOptions {
  std::filesystem::path directory;
  int jobs = 0;
  double checkpoint_seconds = 10.0;
  const std::atomic<int>* stop = nullptr;
  std::string label = "sweep";                               // shown with the progress
  std::function<void(const ProgressReport&)> progress = {};  // calls never overlap
  std::function<void(const std::string&)> say = {};
  std::function<std::unique_ptr<Run>(const Config&)> make = {};  // empty: make_run
  Fleet* fleet = nullptr;      // who shares the work; all ranks call run_cells() with the same cells and directory
  bool share_results = false;  // every rank gets all results, not rank 0 alone
};

/// How a cell ended. `summary` is the text of its summary.json.
struct CellResult {
  enum class State { done, failed, stopped };
  State state = State::stopped;
  std::string message;  // of a failed cell
  std::string summary;
  bool by_itself = false;  // of a failed cell: its settings cannot be run. Else a disk, a file or memory failed, which
                           // may pass
};

/// Failed because of its files or for lack of memory: it may succeed when it is run again.
inline bool failed_for_now(const CellResult& result) {
  return result.state == CellResult::State::failed && !result.by_itself;
}

/// The state of every cell: done where it is finished, failed where its files cannot be read, else stopped.
/// Throws OtherRun where a cell's directory holds another configuration (the keys are named).
std::vector<CellResult> look_at_cells(std::span<const SweepCell> cells, const std::filesystem::path& sweep);

/// Runs the missing cells below directory/runs. A failing cell does not affect the others. Throws as look_at_cells(),
/// before anything runs. With a fleet every rank takes cells from one counter; only rank 0 gets all results.
std::vector<CellResult> run_cells(std::span<const SweepCell> cells, const SweepOptions& options);

/// The plan as text, which must be the same on all ranks.
std::string plan_text(const SweepPlan& plan);

/// results.csv: one row per run, in the order of the plan; no times in it. The stage is a first column where runs have
/// one.
std::string results_csv(const SweepPlan& plan, std::span<const CellResult> results);

/// sweep.json: what was planned and how every run ended, with its stage where it has one; no times in it. Results may
/// be fewer than runs: those of the others are missing.
std::string sweep_json(const std::string& file, const SweepPlan& plan, std::span<const CellResult> results);

/// A number of a summary.json by its dotted name; NaN where it is missing or null.
double summary_number(const std::string& summary, std::string_view name);
/// Several numbers, for one reading of the text.
std::vector<double> summary_numbers(const std::string& summary, std::span<const std::string_view> names);
/// A text of a summary.json, for example its signature; empty where it is missing.
std::string summary_word(const std::string& summary, const char* name);

}  // namespace politex::inline sweep
