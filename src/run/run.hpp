// A run: anything that can be advanced by a bounded block of work. The program, records, sweeps and reports use
// learners only through this interface.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/run/config.hpp"
#include "politex/run/run_options.hpp"
#include "politex/solvers/solver_options.hpp"
#include "politex/watch/exact_summary.hpp"

namespace politex::inline value {
struct Phase;
}  // namespace politex::inline value

namespace politex::inline algorithm {
class Learner;
}  // namespace politex::inline algorithm

namespace politex::inline run {

/// Steps and their mean cost in one kind of segment.
struct SegmentSummary {
  std::int64_t steps = 0;
  double average_cost = 0.0;  // NaN where steps is 0
};

/// What neural learners report in addition to costs. Rewards are negated costs.
struct NeuralSummary {
  double learned_return = 0.0;             // mean reward of the episodes that the learned policy played alone
  double learned_return_last_tenth = 0.0;  // of those that ended in the last tenth of the steps
  double explorer_return = 0.0;            // of the episodes that the explorer played alone
  std::int64_t learned_episodes = 0, explorer_episodes = 0;
  std::int64_t learner_steps = 0;
  double gain = 0.0;  // estimated, differential mode; NaN otherwise
};

/// The result of training a goal-conditioned explorer.
struct GoalSummary {
  std::int64_t places = 0, cells = 0;  // positions and goals that were found
  /// A policy measured in new environments.
  struct Measure {
    std::string policy;
    std::int64_t goals = 0;
    double reached = 0.0;  // share of the goals, within the limit
    std::int64_t games = 0;
    double cells_a_game = 0.0, score_a_game = 0.0;
  };
  std::vector<Measure> measured;
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
  std::string path;                           // compiled, generic
  std::vector<std::string> warnings;          // also on standard error while it runs
  std::optional<std::int64_t> guarded_steps;  // in which a guard took over
  std::optional<Solved> solver;               // of learners with algorithm.solver: all phases together
  std::optional<FiniteSummary> finite;
  std::optional<NeuralSummary> neural;
  std::optional<GoalSummary> goals;
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
  /// overwritten; phases can be so short that a new vector each time would cost time.
  virtual void row(std::vector<double>& into) const = 0;
  /// Whether the last advance() completed a row of progress.csv (a phase).
  virtual bool row_due() const { return true; }
  /// Adds a picture of the phase that the last advance() played to `into`, one line of JSON; false if none is due.
  /// Which phases have one depends on the number of steps alone, so that a resumed run keeps the same ones.
  virtual bool picture(std::string& /*into*/) const { return false; }
  /// The first line of pictures.jsonl: what every picture has in common; empty if there are none.
  virtual std::string picture_frame() const { return {}; }
  /// The learned exploration policy, as a file for explorer.file; empty if the learner trains none.
  virtual std::string policy_file() const { return {}; }
  /// Its own files, written with each checkpoint and at the end (networks).
  virtual void write_files(const std::filesystem::path& /*directory*/) const {}
  /// Whether its policy is in none of these files: then the state of a finished run is kept for `politex evaluate`.
  virtual bool keeps_final_state() const { return false; }
  /// Every bit that the future of the run depends on; restore() expects a run made from the same configuration.
  virtual void save(ByteWriter& to) const = 0;
  virtual void restore(ByteReader& from) = 0;
  /// Extends the run to `steps` steps in total, with the same bits as a run of this length from the start. What depends
  /// on T (the theorem's schedules and step size, the stride of exact answers) keeps the first value.
  virtual void extend(std::int64_t /*steps*/) { throw Error("this run cannot be extended"); }
  /// The newest phase of a linear learner, and its learner; nullptr where there is none.
  virtual const Phase* phase() const { return nullptr; }
  virtual const Learner* learner() const { return nullptr; }
  /// The times are 0: the caller measures them.
  virtual Summary summary() = 0;
};

/// The newest row of this run, which is saved; empty before the first. Throws DamagedState.
inline void get_row(ByteReader& from, std::vector<double>& row, const Run& run) {
  from.get(row);
  if (!row.empty() && row.size() != 4 + run.columns().size()) throw DamagedState("the newest row");
}

/// The run that a configuration describes; throws ConfigError before anything is computed or written.
std::unique_ptr<Run> make_run(const Config& config, const RunOptions& options = {}, RunParts parts = {});

}  // namespace politex::inline run
