// Features for the default learner where states are not listed: the cell of a tree that the learner lets grow, and a
// cell of a fixed grid, whose visits the explorer counts.
#pragma once

#include <memory>
#include <vector>

#include "politex/features/cell_tree.hpp"
#include "politex/features/cells.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// A row has two entries, both 1: the cell of the tree, then the cell of the grid.
class TreeFeatures final : public FeatureMap {
 public:
  /// `bins` cells of the grid along each number; the tree and the grid have at most `memory` cells each.
  TreeFeatures(const std::vector<Range>& ranges, std::int64_t bins, std::int64_t memory);
  int columns() const override { return tree_->most_cells() + grid_.columns(); }
  int exclusive() const override { return tree_->most_cells(); }
  int cells() const override { return grid_.columns(); }
  std::shared_ptr<CellTree> tree() const override { return tree_; }
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::shared_ptr<CellTree> tree_;
  Cells grid_;
};

struct FeaturesEntry;
const FeaturesEntry& tree_entry();

}  // namespace politex::inline features
