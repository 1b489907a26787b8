// The explorer "goal by information, model by counts": states are listed (or are cells), and the goal is what the
// features know least. It never sees a cost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/value/inverse_gram.hpp"
#include "politex/value/transition_counts.hpp"

namespace politex::inline policy {
struct ExplorerEntry;
}  // namespace politex::inline policy

namespace politex::inline discovery {

/// b(x) = max_a psi' P psi, with P the inverse Gram matrix of the pairs that entered the estimate. U(x) = max(b(x),
/// g max_a E U(x')) over the observed successors, and g max b for a pair that was never tried. A segment goes greedily
/// and ends where b(x) is at least the value of continuing; the probe is the action of the largest bonus.
class DesignExplorer final : public LearningExplorer {
 public:
  /// g = 1 - 1 / (8 size).
  DesignExplorer(const FeatureStructure& structure, int states, int actions, int size);

  void observe(const Trace& trace) override;
  void sample(const Trace& trace) override;
  void begin(const Here& here, Rng& rng) override;
  std::optional<Action> act(const Here& here, Rng& rng) override;
  std::optional<Action> probe(const Here& here, Rng& rng) override;
  Coverage coverage() const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

  const InverseGram& information() const noexcept { return information_; }
  const TransitionCounts& counts() const noexcept { return counts_; }
  double discount() const noexcept { return discount_; }
  /// b(x) and U(x) of a seen state, as of the last plan.
  double bonus(std::int32_t state) const noexcept { return bonuses_[static_cast<std::size_t>(state)]; }
  double value(std::int32_t state) const noexcept { return values_[static_cast<std::size_t>(state)]; }
  /// Computes b and U of all seen states: U from b upwards, until nothing changes by more than 1e-4 of the largest
  /// bonus, with a bounded number of sweeps.
  void plan();

 private:
  void see(std::int32_t state, const Features& features, std::int32_t slot);
  double own(std::int32_t state, Action action) const noexcept;
  double own(std::int32_t state) const noexcept;
  double ahead(std::int32_t pair) const noexcept;

  FeatureStructure structure_;
  double discount_;
  TransitionCounts counts_;
  InverseGram information_;
  Features features_;                // a slot per seen state, in the order in which they were met
  std::vector<std::int32_t> slots_;  // state -> slot; -1: not seen
  std::vector<double> bonuses_, values_;
  double largest_ = 0.0;               // of the bonuses
  std::vector<std::int32_t> sampled_;  // scratch
};

/// "design".
const ExplorerEntry& design_explorer_entry();

}  // namespace politex::inline discovery
