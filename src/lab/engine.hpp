// Drives a run from its beginning, or from its last checkpoint, to its end: records, checkpoints, progress, stopping.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "politex/lab/live_line.hpp"
#include "politex/lab/run.hpp"
#include "politex/lab/run_directory.hpp"

namespace politex::lab {

struct EngineOptions {
  const RunDirectory* directory = nullptr;  // nullptr: nothing is written
  bool resume = false;                      // go on from the newest checkpoint that is whole
  double checkpoint_seconds = 10.0;  // at least so long between two; 0: as often as possible; a stop always writes one
  // A run that took less is cheaper to run again than to wait for, or to keep a checkpoint of: its files are left to
  // the system, which writes them within seconds. Where power is lost before, finished_summary() sees that they are not
  // whole.
  double wait_from_seconds = 1.0;
  const std::atomic<int>* stop = nullptr;                    // becomes a signal's number when the run should stop
  std::function<void(const ProgressReport&)> progress = {};  // called a few hundred times a second at most
  std::function<void(const std::string&)> say = {};          // warnings and notes for the user
};

/// Empty when the run was stopped before its end; its checkpoint is written then.
/// Throws ConfigError where the checkpoint belongs to another configuration (the keys are named), Error where the run
/// or its files fail.
std::optional<Summary> drive(Run& run, const Config& config, const EngineOptions& options);

}  // namespace politex::lab
