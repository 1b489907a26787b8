// Where a tree of cells is split: where many transitions are in one cell, along the number that separates their targets
// best.
#pragma once

#include <cstdint>
#include <span>

#include "politex/features/cell_tree.hpp"
#include "politex/value/stored_points.hpp"

namespace politex::inline value {

/// A cell with a transition is split in the middle while it is wider than 1/g of a range, where g is the largest power
/// of two with g^numbers <= 256. Then, while it has more than 120 transitions, it is split at the mean of the number
/// that reduces most the sum over the actions of the squared deviations of the targets. `targets` has one entry per
/// point; `spread` is the scale of costs: targets that differ by much less decide nothing, and the widest number is
/// split instead.
void grow(CellTree& tree, const StoredPoints& points, int actions, std::span<const double> targets, double spread);

/// The g of grow().
int widest_share(int numbers);

}  // namespace politex::inline value
