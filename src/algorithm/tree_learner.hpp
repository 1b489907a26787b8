// EE-Politex on replay where states are not listed: values of the cells of a tree that grows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "politex/algorithm/learner.hpp"
#include "politex/value/tree_values.hpp"

namespace politex::inline algorithm {

/// `columns` is the number of features; the first ones are the cells of the tree, the others have no weight.
class TreeReplayLearner final : public Learner {
 public:
  TreeReplayLearner(std::shared_ptr<CellTree> tree, int columns, int actions);

  void learn(const Phase& phase) override;
  /// Q divided by its range over the actions in each cell: what the rule's step size refers to. All 0 while all costs
  /// are the same.
  std::span<const double> weights() const override { return weights_; }
  std::span<const double> newest() const override { return newest_; }
  Rule rule() const override { return Rule::boltzmann(values_.beta()); }
  void restart(double phases) override;
  void save(ByteWriter& to) const override { values_.save(to); }
  void restore(ByteReader& from) override;

  const TreeValues& values() const noexcept { return values_; }

 private:
  void set_weights();

  std::size_t columns_;
  TreeValues values_;
  std::vector<double> weights_, newest_;
};

}  // namespace politex::inline algorithm
