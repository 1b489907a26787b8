// The learned explorer where states are listed (or are cells of a grid): it goes where counts are small, by a model of
// counts. It never sees a cost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "politex/algorithm/learning_explorer.hpp"
#include "politex/value/transition_counts.hpp"

namespace politex::inline policy {
struct ExplorerEntry;
}  // namespace politex::inline policy

namespace politex::inline discovery {

/// The bonus of a pair is b(x, a) = 1 / (1 + n(x, a)). goal: U(x) = max_a max(b(x, a), g E U(x')), the best single
/// pair, discounted by the way to it; a segment ends at the pair. sum: U(x) = max_a (b(x, a) + g E U(x')), the bonuses
/// on the way add up; a segment ends at a pair whose own bonus is the largest of its state and at least the mean on the
/// way. E is over the observed successors of the pair. Bonuses only shrink, so without chance an old U of the goal is
/// an upper bound: it is swept once per phase, and updated in every state that the explorer passes.
class CountExplorer final : public LearningExplorer {
 public:
  enum class Value { goal, sum };
  /// A pair counts as tried after `wanted` visits, and as much of it as it was visited before.
  /// `masked`: traces say which actions are possible; the others need no try.
  CountExplorer(int states, int actions, Value value = Value::goal, int wanted = 1, bool masked = false);

  void observe(const Trace& trace) override;
  void begin_phase() override { planned_ = false; }
  void begin(const Here& here, Rng& rng) override;
  std::optional<Action> act(const Here& here, Rng& rng) override;
  std::optional<Action> probe(const Here& here, Rng& rng) override;
  Coverage coverage() const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;

  const TransitionCounts& counts() const noexcept { return counts_; }
  /// U(x) as of now.
  double value(std::int32_t state) const noexcept { return values_[static_cast<std::size_t>(state)]; }
  double bonus(std::int32_t pair) const noexcept { return is_masked(pair) ? 0.0 : 1.0 / (1.0 + counts_.count(pair)); }
  bool is_masked(std::int32_t pair) const noexcept {
    return !masked_.empty() && masked_[static_cast<std::size_t>(pair)] == 1;
  }
  /// Keeps which actions of a seen state are possible.
  void mark(std::int32_t state, std::span<const std::uint8_t> possible);
  /// Sweeps all seen states until nothing changes by more than a hundredth of the largest bonus, at most `sweeps`
  /// times.
  void plan(int sweeps);

 private:
  struct Best {
    double value = 0.0;
    Action action = 0;
    bool at_goal = false;  // the action's own bonus is worth as much as continuing
  };
  double ahead(std::int32_t pair) const noexcept;
  /// The value of a pair, its own bonus and the way that follows.
  double worth(std::int32_t pair) const noexcept;
  double backup(std::int32_t state) const noexcept;
  Best best(std::int32_t state, Rng& rng) const;

  void count_visits();

  Value kind_;
  double wanted_;
  std::vector<std::uint8_t> masked_;  // by pair: 1 where the action is impossible, 2 where the state is not marked yet
  std::int64_t masked_pairs_ = 0;     // of seen states
  std::int64_t visits_ = 0;           // of all pairs, at most `wanted_` of each
  TransitionCounts counts_;
  std::vector<double> values_;
  std::int64_t chosen_ = -1;  // the action of the probe, decided by act()
  bool planned_ = false;
};

/// "learned", and "count" with Value::sum.
const ExplorerEntry& learned_explorer_entry();
const ExplorerEntry& count_explorer_entry();

}  // namespace politex::inline discovery
