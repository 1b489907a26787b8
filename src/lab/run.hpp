// A run: anything that can be advanced by a bounded block. The program, the reports and (later) checkpoints, sweeps
// and the neural learners see learners only through this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/lab/config.hpp"

namespace politex::lab {

/// Steps and their mean cost in one kind of segment.
struct SegmentSummary {
  std::int64_t steps = 0;
  double average_cost = 0.0;  // NaN where steps is 0
};

/// The six terms of contract.md; they sum to the regret.
struct RegretTerms {
  double E = 0.0, PR = 0.0, V = 0.0, W = 0.0, V_explore = 0.0, W_explore = 0.0;
};

/// What is known exactly where the environment is finite.
struct FiniteSummary {
  double optimal_gain = 0.0;
  double final_gain_from_start = 0.0;
  double final_gain_from_last_state = 0.0;
  double regret = 0.0;
  double regret_to_gain = 0.0;
  RegretTerms terms;
  std::int64_t evaluated_phases = 0;  // phases whose policy's gain was computed; the others take the last one's
};

/// What the neural learners report beside the costs. Rewards are negated costs.
struct NeuralSummary {
  double learned_return = 0.0;             // mean reward of the episodes that the learned policy played alone
  double learned_return_last_tenth = 0.0;  // of those that ended in the last tenth of the steps
  double explorer_return = 0.0;            // of the episodes that the explorer played alone
  std::int64_t learned_episodes = 0, explorer_episodes = 0;
  std::int64_t learner_steps = 0;
  double gain = 0.0;  // estimated, differential mode; NaN otherwise
};

/// summary.json, typed. Numbers that are not finite are written as null.
struct Summary {
  std::int64_t steps = 0;
  std::uint64_t seed = 0;
  std::string environment, algorithm;
  double average_cost = 0.0, average_cost_last_tenth = 0.0;
  SegmentSummary explorer, probe, target;
  std::int64_t phases = 0;
  double seconds = 0.0, steps_per_second = 0.0;
  std::string signature;
  std::string path;                   // compiled, generic
  std::vector<std::string> warnings;  // for people; also on standard error while it runs
  std::optional<FiniteSummary> finite;
  std::optional<NeuralSummary> neural;
};

class Run {
 public:
  virtual ~Run() = default;
  virtual bool done() const = 0;
  /// One bounded block of work: for the linear learners one phase.
  virtual void advance() = 0;
  virtual std::int64_t steps_done() const = 0;
  virtual double average_cost() const = 0;
  /// Column names of progress.csv after phase, steps, average_cost, phase_average_cost.
  virtual std::vector<std::string> columns() const = 0;
  /// The newest row's cells: phase, steps, average_cost, phase_average_cost, then one per name of columns(). `into` is
  /// overwritten; phases can be so short that a new vector each time would be felt.
  virtual void row(std::vector<double>& into) const = 0;
  /// Whether the last advance() ended a row of progress.csv: a phase.
  virtual bool row_due() const { return true; }
  /// Files of its own beside a checkpoint, and at the end (networks).
  virtual void write_files(const std::filesystem::path& /*directory*/) const {}
  /// Every bit that the future of the run depends on; restore() expects a run made from the same configuration.
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
  /// Times left at 0: the caller measures them.
  virtual Summary summary() = 0;
};

/// What a caller may do without. It changes no bit of the learning.
struct RunOptions {
  bool regret = true;  // false: of the exact answers only the final policy's gains; the regret stays NaN
};

/// The run that a configuration describes; throws ConfigError before anything is computed or written.
std::unique_ptr<Run> make_run(const Config& config, const RunOptions& options = {});

}  // namespace politex::lab
