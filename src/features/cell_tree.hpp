// A partition of observations that grows: a tree that splits cells, each along one number of the observation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/env/range.hpp"

namespace politex::inline features {

/// Points are observations whose numbers are shares of their ranges, 0 to 1. The cells are the leaves of the tree,
/// numbered from 0; at first there is one.
class CellTree {
 public:
  struct Node {
    std::int32_t coordinate = -1;  // -1: a leaf
    float threshold = 0.0F;        // points below it are in node `below`, others in the node after that one
    std::int32_t below = -1;
    std::int32_t cell = 0;
  };

  /// At most `most_cells` cells.
  CellTree(std::vector<Range> ranges, int most_cells);

  int numbers() const noexcept { return static_cast<int>(ranges_.size()); }
  int cells() const noexcept { return cells_; }
  int most_cells() const noexcept { return most_cells_; }
  /// Children come after their parents.
  std::span<const Node> nodes() const noexcept { return nodes_; }

  /// Appends the point of an observation.
  void append_point(std::span<const double> observation, std::vector<float>& into) const;
  int cell(std::span<const float> point) const noexcept {
    const Node* node = nodes_.data();
    while (node->coordinate >= 0)
      node =
          nodes_.data() + node->below + (point[static_cast<std::size_t>(node->coordinate)] < node->threshold ? 0 : 1);
    return node->cell;
  }
  /// The cell of an observation.
  int cell_of(std::span<const double> observation) const noexcept;

  /// Splits the cell of a leaf in two. The part below the threshold keeps its number, the other one is new. The tree
  /// must not be full.
  void split(std::int32_t leaf, int coordinate, float threshold);
  bool full() const noexcept { return cells_ == most_cells_; }

  void save(ByteWriter& to) const;
  /// Throws Error where the saved tree does not fit the ranges.
  void restore(ByteReader& from);
  void reset();

 private:
  std::vector<Range> ranges_;
  int most_cells_, cells_ = 1;
  std::vector<Node> nodes_;
};

}  // namespace politex::inline features
