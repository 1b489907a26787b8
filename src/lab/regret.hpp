// The regret of a run and its six terms, with exact gains. Watches the loop from outside: no bit of the learning
// depends on it.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/base/rng.hpp"
#include "politex/env/finite_world.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/lab/run.hpp"
#include "politex/policy/policy_table.hpp"
#include "politex/value/phase.hpp"

namespace politex::lab {

/// The comparator: an optimal policy, simulated from the start on its own streams. Where nothing is random its path
/// soon repeats, and sums over any stretch are looked up.
class Comparator {
 public:
  Comparator(const FiniteWorld& world, const std::vector<int>& actions, std::uint64_t seed);
  /// The cost of its next `steps` steps.
  double advance(std::int64_t steps);
  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  double cumulative(std::int64_t steps) const noexcept;

  const FiniteWorld* world_;
  PolicyTable policy_;
  Rng actions_, environment_;
  int state_;
  std::int64_t done_ = 0;
  std::vector<double> path_;      // deterministic worlds: summed costs of the first steps, up to the end of a cycle
  std::int64_t cycle_begin_ = 0;  // where the cycle begins in path_
};

class RegretLedger {
 public:
  /// Gains of the played policy are computed every `stride` phases; in between the last one's are used.
  RegretLedger(const FiniteWorld& world, const PolicyTable& explorer, std::int64_t stride, std::uint64_t seed);

  /// Does the phase of this index want its policy evaluated?
  bool due(std::int64_t phase_index) const noexcept { return phase_index % stride_ == 0; }
  /// The policy of the phases to come.
  void evaluate(std::span<const double> policy);
  /// A phase that was played.
  void add(const Phase& phase);

  double optimal_gain() const noexcept { return optimal_gain_; }
  const RegretTerms& terms() const noexcept { return terms_; }
  double regret() const noexcept { return cost_ - comparator_cost_; }
  double regret_to_gain() const noexcept { return cost_ - static_cast<double>(steps_) * optimal_gain_; }
  std::int64_t evaluated() const noexcept { return evaluated_; }
  /// Gain by state of the last evaluated policy.
  std::span<const double> gain() const noexcept { return target_gain_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  const FiniteWorld* world_;
  exact::Evaluator evaluator_;
  double optimal_gain_;
  Comparator comparator_;
  std::vector<double> explorer_gain_, uniform_gain_, target_gain_;
  std::int64_t stride_;
  std::int64_t evaluated_ = 0;
  std::int64_t steps_ = 0;
  double cost_ = 0.0, comparator_cost_ = 0.0;
  RegretTerms terms_;

  RegretLedger(const FiniteWorld& world, const PolicyTable& explorer, std::int64_t stride, std::uint64_t seed,
               const exact::Optimum& optimum);
};

}  // namespace politex::lab
