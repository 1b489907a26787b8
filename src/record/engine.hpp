// Drives a run from its start or its last checkpoint to its end, with records, checkpoints, progress and stopping.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "politex/record/live_line.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/run/run.hpp"

namespace politex::inline record {

struct EngineOptions {
  const RunDirectory* directory = nullptr;  // nullptr: nothing is written
  bool resume = false;                      // continue from the newest intact checkpoint
  // Writes config.toml and summary.json only, without a sync: no rows, events, pictures or checkpoints. For many short
  // runs of which only the summary is used; an interrupted run restarts from scratch.
  bool summary_only = false;
  bool restart_damaged = false;      // where no checkpoint is intact, from scratch; else that is an error
  bool curve = false;                // writes curve.csv too
  double checkpoint_seconds = 10.0;  // minimum time between two; 0: as often as possible; a stop always writes one
  // Shorter runs are cheaper to repeat than to sync or checkpoint: the system writes their files within seconds. After
  // a power failure finished_summary() detects incomplete files.
  double wait_from_seconds = 1.0;
  const std::atomic<int>* stop = nullptr;                    // set to a signal number when the run should stop
  std::function<void(const ProgressReport&)> progress = {};  // called at most a few hundred times per second
  std::function<void(const std::string&)> say = {};          // warnings and notes for the user
  bool* run_failed = nullptr;  // set to true where the run itself fails: not its files, and not for lack of memory
};

/// Returns the summary, or nothing if the run was stopped, after writing a checkpoint. Throws ConfigError with the
/// differing keys if the checkpoint belongs to another configuration, Error if the run or its files fail.
std::optional<Summary> drive(Run& run, const Config& config, const EngineOptions& options);

}  // namespace politex::inline record
