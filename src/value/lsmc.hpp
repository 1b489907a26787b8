// Least-squares Monte Carlo: regression of the returns of visited pairs on their features (equation estQ of the paper).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/solvers/regression.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline value {

/// Which pairs of a rollout become regression rows. one: its first pair (the probe), with the whole rollout.
enum class Visits { one, first, every };
/// The estimate of the average cost lambda: mean target cost of the phase, of the rollout, or the rollout's last cost.
enum class Average { phase, rollout, last_cost };

/// What is subtracted from the returns before the regression. none: nothing, as in the paper. mean: their mean, so that
/// the ridge shrinks to it instead of 0. state: a fit V(x) of the returns of all actions together; the weights are
/// those of Q - V, which give the same policy, and are 0 for an action that the phase did not take.
enum class Baseline { none, mean, state };

struct LsmcOptions {
  Visits visits = Visits::every;
  Average average = Average::phase;
  std::int64_t horizon = 0;  // costs in a return; 0: to the end of the rollout
  double ridge = 0.01;
  Baseline baseline = Baseline::none;
  bool ridge_by_count = false;  // the ridge is the mean count of a feature among the phase's rows
  SolverOptions solver{};
};

class Lsmc {
 public:
  Lsmc(const LsmcOptions& options, const FeatureStructure& structure)
      : options_(options), equations_(structure, options.solver) {}

  /// Computes the weights of the phase's Q (minus V if the baseline is the state's). An iterative solver starts from
  /// the given ones.
  void estimate(const Phase& phase, std::span<double> weights);

  /// The mean target cost of the last phase, which the estimate uses if Average::phase is set.
  double average() const noexcept { return average_; }
  /// How its equations were solved, with those of the baseline.
  const Solved& solved() const noexcept { return solved_; }

 private:
  void add_rollout(const Phase& phase, std::size_t begin, std::size_t target, std::size_t end);
  void mark_first_visits(const Phase& phase, std::size_t begin, std::size_t end);
  void add_visit(std::int32_t pair, double costs, double length);
  /// The sum of the returns of a visited pair, minus lambda for every cost.
  double returns(std::size_t pair) const noexcept { return costs_[pair] - average_ * lengths_[pair]; }
  void fit_states(const Features& features, double mean);
  const FeatureRow& state_row(const Features& features, std::int32_t pair);

  LsmcOptions options_;
  Regression equations_;
  double average_ = 0.0;
  Solved solved_;
  // Sums over the visits of each pair, and the visited pairs in order of their first visit.
  std::vector<double> visits_, costs_, lengths_;
  std::vector<std::int32_t> touched_;
  std::vector<double> prefix_;
  std::vector<unsigned char> is_first_;
  std::vector<std::int64_t> seen_in_;  // pair -> last rollout that visited it
  std::int64_t rollout_ = 0;
  // The baseline V = mean + phi(x) . state_weights_.
  std::optional<Regression> state_equations_;
  std::vector<double> state_weights_, state_values_;
  std::vector<std::int32_t> all_columns_;
  FeatureRow state_row_;
};

}  // namespace politex::inline value
