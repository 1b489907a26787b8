// The values of a policy in the model of all stored transitions between the cells of a growing tree, and the policy
// improved by them, in turn: what the replay learner computes after each phase where states are not listed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/features/cell_tree.hpp"
#include "politex/value/phase.hpp"
#include "politex/value/stored_points.hpp"

namespace politex::inline value {

/// As ReplayValues, but a node of the tree is an estimate for those below it, worth one visit. With n transitions by
/// action a from a node, and S the sum of their costs and of g V(next cell):
///   M(root, a) = S / n, or the mean of V over all transitions where a was never taken
///   M(node, a) = (S + M(parent, a)) / (n + 1),      Q(cell, a) = M(leaf, a)
///   V(cell) = sum_a pi(a|cell) Q(cell, a),          g = 1 - 1 / max(300, t^0.4)
///   pi(.|cell) proportional to exp(-beta (Q - min Q) / range_a Q),      beta = sqrt(log A t / 100)
/// Nothing is learned while all costs are the same.
class TreeValues {
 public:
  TreeValues(std::shared_ptr<CellTree> tree, int actions);

  /// Adds the transitions of a phase, lets the tree grow when the steps grew by a fifth, then evaluates and improves
  /// the policy: 20 times at most 5 sweeps.
  void learn(const Phase& phase);

  const CellTree& tree() const noexcept { return *tree_; }
  const StoredPoints& points() const noexcept { return points_; }
  int actions() const noexcept { return static_cast<int>(actions_); }
  std::int64_t steps() const noexcept { return steps_; }
  /// Whether two costs differed so far.
  bool learned() const noexcept { return spread() > 0.0; }
  /// By pair, cell * actions + action.
  std::span<const double> q() const noexcept { return q_; }
  std::span<const double> policy() const noexcept { return policy_; }
  std::span<const double> values() const noexcept { return values_; }
  double beta() const;
  double discount() const;
  double spread() const noexcept;
  /// Sweeps until no two values change differently by more than `enough`, at most `sweeps` times. Returns how many.
  int evaluate(int sweeps, double enough);

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);
  void restart();

 private:
  struct Successor {
    std::int32_t cell = 0;
    float count = 0.0F;
  };

  void add(const Phase& phase);
  void grow_tree();
  /// The cells of all points from this one on.
  void find_cells(std::size_t from);
  /// Counts the transitions between cells.
  void count();
  double ahead(std::size_t pair) const noexcept;
  /// Sums and estimates of the nodes, from the sums of the cells: the prior of each pair.
  void set_priors();
  double sweep(bool backwards);
  void improve();
  void resize();

  std::shared_ptr<CellTree> tree_;
  std::size_t actions_;
  StoredPoints points_;
  std::vector<double> q_, values_, policy_;
  double sum_ = 0.0, squares_ = 0.0, first_cost_ = 0.0;
  std::int64_t steps_ = 0, grown_ = 0;  // steps so far, and when the tree grew

  // From the points and the tree, not saved.
  std::vector<std::int32_t> cells_;  // of the points
  std::vector<std::size_t> first_;   // successors of a pair
  std::vector<Successor> successors_;
  std::vector<double> counts_, costs_;  // by pair
  std::vector<double> sums_, priors_;   // by pair: S of the last sweep, M(parent)
  std::vector<double> node_counts_, node_sums_, node_means_;
  std::vector<std::int32_t> order_, slot_;  // scratch
};

}  // namespace politex::inline value
