// The regret of a run and its six terms, with exact gains. It only reads what the loop did, so no bit of the learning
// depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/exact/transient.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/value/phase.hpp"
#include "politex/watch/exact_summary.hpp"

namespace politex::inline watch {

/// The comparator: an optimal policy, simulated from the start on its own streams. In a deterministic
/// environment its path repeats, and sums of costs are looked up.
class Comparator {
 public:
  Comparator(const TableEnvironment& environment, const std::vector<int>& actions, std::uint64_t seed);
  /// The cost of its next `steps` steps.
  double advance(std::int64_t steps);
  void save(ByteWriter& to) const;
  /// After this many steps.
  void restore(ByteReader& from, std::int64_t steps);

 private:
  double cumulative(std::int64_t steps) const noexcept;

  const TableEnvironment* environment_;
  PolicyTable policy_;
  Rng action_rng_, environment_rng_;
  int state_;
  std::int64_t done_ = 0;
  std::vector<double> path_;  // deterministic environments: summed costs of the first steps, up to the end of a cycle
  std::int64_t cycle_begin_ = 0;  // where the cycle begins in path_
};

class RegretLedger {
 public:
  struct Options {
    std::int64_t stride = 1;  // phases between evaluated policies; the gain of the last one is used in between
    bool split = false;       // split the noise terms
    bool learns = false;      // the explorer learns: it has no gain, and E has the costs of its steps themselves
    std::uint64_t seed = 0;
  };
  RegretLedger(const TableEnvironment& environment, const PolicyTable& explorer, const Options& options);

  /// Whether the policy of the phase with this index is to be evaluated.
  bool due(std::int64_t phase_index) const noexcept { return phase_index % options_.stride == 0; }
  /// Sets the policy of the next phases.
  void evaluate(std::span<const double> policy);
  /// Adds a phase that was played.
  void add(const Phase& phase);

  double optimal_gain() const noexcept { return optimal_gain_; }
  const RegretTerms& terms() const noexcept { return terms_; }
  /// All 0 unless Options::split.
  const RegretSplit& split() const noexcept { return split_; }
  double regret() const noexcept { return cost_ - comparator_cost_; }
  double regret_to_gain() const noexcept { return cost_ - static_cast<double>(steps_) * optimal_gain_; }
  std::int64_t evaluated() const noexcept { return evaluated_; }
  std::int64_t steps() const noexcept { return steps_; }
  /// The part of PR that belongs to probe steps.
  double probe_regret() const noexcept { return probe_regret_; }
  /// Maximal runs of one policy and their steps: the explorer's, and all others.
  struct Runs {
    double explorer = 0.0, explorer_steps = 0.0, other = 0.0, other_steps = 0.0;
  };
  const Runs& runs() const noexcept { return runs_; }
  /// The last evaluated policy and its evaluation.
  const exact::Evaluation& evaluation() const noexcept { return target_.evaluation; }
  std::span<const double> policy() const noexcept { return target_.policy; }
  /// Its Q with a horizon, by pair: the expected sum of this number of costs minus gains. Needs Options::split.
  std::vector<double> horizon_q(std::int64_t horizon);
  /// Where optimal policies tie, that of largest entropy, and those that take the first and the last tied actions: with
  /// their stationary distributions. Empty unless Options::split.
  struct Optimal {
    std::vector<double> policy, stationary;
  };
  const std::vector<Optimal>& optimal() const noexcept { return optimal_; }
  /// Evaluations of the exploration policy and the uniform one.
  const exact::Evaluation& explorer() const noexcept { return explorer_.evaluation; }
  const exact::Evaluation& uniform() const noexcept { return uniform_.evaluation; }

  void save(ByteWriter& to) const;
  /// After this many steps of the run.
  void restore(ByteReader& from, std::int64_t steps);

 private:
  struct Player {
    std::vector<double> policy;
    exact::Evaluation evaluation;
    std::optional<exact::Transients> transients;  // if Options::split
  };
  Player player(std::span<const double> policy, exact::Accurate accurate = exact::Accurate::gain);
  RegretLedger(const TableEnvironment& environment, const PolicyTable& explorer, const Options& options,
               const exact::Optimum& optimum);

  const TableEnvironment* environment_;
  Options options_;
  exact::Evaluator evaluator_;
  double optimal_gain_;
  Comparator comparator_;
  std::vector<Optimal> optimal_;
  std::optional<exact::ExpectedPath> expected_;  // of the comparator, if Options::split
  Player explorer_, uniform_, target_;
  std::int64_t evaluated_ = 0;
  std::int64_t steps_ = 0;
  double cost_ = 0.0, comparator_cost_ = 0.0, probe_regret_ = 0.0;
  Runs runs_;
  RegretTerms terms_;
  RegretSplit split_;
};

}  // namespace politex::inline watch
