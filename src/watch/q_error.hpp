// How far the estimated Q of a phase is from the exact one, in the norms of the theorem and of the estimation lemma.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/features/features.hpp"
#include "politex/watch/exact_summary.hpp"

namespace politex::inline watch {

/// The minimum over constants b of the larger of |f - b| in two weighted norms. The two errors of the theorem share a
/// constant, because it bounds the difference of two means of f.
double common_constant_norm(std::span<const double> f, std::span<const double> weights_a,
                            std::span<const double> weights_b);

class QErrors {
 public:
  struct Distributions {
    std::vector<double> optimal_stationary;        // mu*
    std::vector<double> optimal_policy;            // pi*, one row per state
    std::vector<double> explorer;                  // mu_e; empty: no exploration
    std::vector<std::vector<double>> others = {};  // of pairs, of other optimal policies
  };
  QErrors(const FiniteModel& model, const Features& features, Distributions distributions);

  /// Adds a phase of this policy with its estimate, one value per pair. `horizon_q` is the Q of the estimator's
  /// horizon, or empty. Errors that the rounding of the exact Q hides are unknown: mean and median leave them out, and
  /// every maximum over the phases is unknown with them.
  void add(std::span<const double> policy, const exact::Evaluation& evaluation, std::span<const double> estimate,
           std::span<const double> horizon_q = {});
  /// Adds a phase that was not compared.
  void skip();

  const QError& newest() const noexcept { return newest_; }
  double eps_0() const noexcept { return totals_.eps_0; }
  std::int64_t measured() const noexcept { return totals_.measured; }
  /// Over the compared phases: the sum of squared largest ranges of an estimate over the actions of a state.
  double squared_action_ranges() const noexcept { return totals_.squared_action_ranges; }
  /// Everything but the split.
  TheorySummary summary() const;

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  struct Totals {
    std::int64_t measured = 0;
    double eps_0, w_max, q_max, q_range = 0.0, squared_action_ranges = 0.0;
  };

  const FiniteModel* model_;
  Distributions distributions_;
  std::vector<double> star_distribution_, explore_distribution_;
  std::optional<exact::WeightedFit> fit_;  // empty without exploration, or with too many features
  QError newest_;
  Totals totals_;
  std::vector<QError> phases_;  // compared
};

}  // namespace politex::inline watch
