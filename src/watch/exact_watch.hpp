// Exact answers about a run on a finite environment: regret terms and, with exact.every > 0, the quantities of the
// theorems. It only reads what the run did, so no bit of the learning depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/base/bytes.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/features/features.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/value/phase.hpp"
#include "politex/watch/exact_summary.hpp"
#include "politex/watch/q_error.hpp"
#include "politex/watch/regret.hpp"

namespace politex::inline watch {

class ExactWatch {
 public:
  struct Options {
    std::int64_t stride = 1;  // phases between evaluated policies
    bool learns = false;      // the explorer learns during the run
    bool regret = true;       // false: only the final policy's gains
    bool rows = false;        // exact.every > 0: columns of progress.csv, and the theory
    bool explores = false;
    std::int64_t horizon = 0;  // costs in a return of the estimator; 0: unknown
    bool sums_q = false;       // the learner is Politex: Boltzmann in the sum of all estimates
    std::uint64_t seed = 0;
  };
  /// `environment` must be the one that the loop steps.
  ExactWatch(std::unique_ptr<TableEnvironment> environment, Features features, const PolicyTable& explorer,
             const Options& options);

  /// The features by pair before a basis was chosen among them: sigma does not depend on the basis.
  void measure_sigma_by(SparseRows whole) { whole_ = std::move(whole); }

  /// The bounds of the collector's target policy.
  void bind(std::shared_ptr<const PolicyBounds> bounds) { policy_.bind(std::move(bounds)); }

  bool due(std::int64_t phase_index) const noexcept { return ledger_ && ledger_->due(phase_index); }
  /// Call it before the learner's policy is played.
  void before(const Learner& learner);
  /// Call it after a phase; `learned` is false if the end of the run truncated it.
  void after(const Phase& phase, const Learner& learner, bool learned);

  std::vector<std::string> columns() const;
  void append_row(std::vector<double>& cells) const;
  /// Of the final policy, of the regret and of the theory; `last_state` is where the run stopped.
  FiniteSummary summary(const Learner& learner, int last_state) const;
  /// The largest minus the smallest value of an estimate.
  double range_of(std::span<const double> weights) const;

  const FiniteModel& model() const noexcept { return environment_->model(); }
  int states() const noexcept { return environment_->states(); }
  /// Probabilities of the policy that the learner's weights define, one row per state; valid until the next call.
  std::span<const double> policy(const Learner& learner) const;

  void save(ByteWriter& to) const;
  /// After this many steps of the run.
  void restore(ByteReader& from, std::int64_t steps);

 private:
  std::span<const double> values(std::span<const double> weights) const;  // valid until the next call
  /// The step size if it is the same in all states and phases, else unknown: the bound on PR is for a constant one.
  double watched_eta(const Rule& rule) const;
  TheoryBounds bounds(const TheorySummary& theory) const;

  std::unique_ptr<TableEnvironment> environment_;
  Features features_;
  std::optional<SparseRows> whole_;  // empty: the same features
  Options options_;
  mutable std::vector<double> q_;  // allocated once: phases are short
  mutable PolicyTable policy_;
  std::unique_ptr<RegretLedger> ledger_;
  std::optional<QErrors> errors_;
  bool fresh_ = false;  // the policy of the phase being played was evaluated
  // What the theorem's inequality bounds, over whole phases.
  struct Covered {
    std::int64_t phases = 0;
    Lengths lengths;
    double eta = 0.0;
    double pseudo_regret = 0.0;  // of the target steps
    std::int64_t unichain = 1;   // every evaluated policy; not bool: the bytes of a checkpoint have no gaps
  };
  Covered covered_;
};

}  // namespace politex::inline watch
