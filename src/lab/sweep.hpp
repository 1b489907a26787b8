// Sweeps: a grid of settings x seeds, each cell a run directory. What is planned depends on the file and the grid
// alone, so that the same command, said again, finishes what is missing.
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
#include "politex/lab/config.hpp"
#include "politex/lab/live_line.hpp"
#include "politex/lab/run.hpp"

namespace politex::lab {

/// One run of a sweep. `settings` are the grid's keys that have an effect on it, in the order given.
struct SweepCell {
  std::string name;  // "key=value,...,seed=S", the directory's name
  std::vector<std::pair<std::string, std::string>> settings;
  Config config;
  std::string stage = {};  // of a tuning's run: tuning_stage or fresh_stage

  /// The value of a grid key, empty where it has no effect.
  std::string setting(const std::string& key) const;
};

struct SweepPlan {
  std::vector<std::string> keys;  // of the grid, in the order given
  std::vector<SweepCell> cells;   // settings in the grid's order (the last key fastest), then seeds
  std::vector<std::string> warnings;
  std::vector<std::string> arguments = {};  // of the command after its file, but for where and by how many jobs
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
};

/// How every cell stands: done where it is finished, failed where what is left of it cannot be read, else stopped.
/// Throws OtherRun where a cell's directory holds another configuration (the keys are named).
std::vector<CellResult> look_at_cells(std::span<const SweepCell> cells, const std::filesystem::path& sweep);

/// Runs what is missing below directory/runs. One failing cell fails nobody else. Throws as
/// look_at_cells(), before anything runs. With a fleet every rank takes
/// cells from one counter; only rank 0 gets the results of all.
std::vector<CellResult> run_cells(std::span<const SweepCell> cells, const SweepOptions& options);

/// What two ranks must have planned alike, as text.
std::string plan_text(const SweepPlan& plan);

/// results.csv: one row a run, in the order of the plan; no times in it. The stage is a first column where runs have
/// one.
std::string results_csv(const SweepPlan& plan, std::span<const CellResult> results);

/// sweep.json: what was planned and how every run ended, with its stage where it has one; no times in it. Results may
/// be fewer than runs: those of the others are missing.
std::string sweep_json(const std::string& file, const SweepPlan& plan, std::span<const CellResult> results);

/// A number of a summary.json by its dotted name; NaN where it is missing or null.
double summary_number(const std::string& summary, std::string_view name);

}  // namespace politex::lab
