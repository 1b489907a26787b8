#include "politex/base/sum_tree.hpp"

#include <bit>

#include "politex/base/saved.hpp"

namespace politex::inline base {

SumTree::SumTree(std::size_t leaves) : first_leaf_(std::bit_ceil(leaves)), nodes_(2 * first_leaf_, 0.0) {}

void SumTree::set(std::size_t leaf, double priority) noexcept {
  std::size_t node = first_leaf_ + leaf;
  nodes_[node] = priority;
  for (node /= 2; node >= 1; node /= 2) nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
}

std::size_t SumTree::find(double at) const noexcept {
  std::size_t node = 1;
  while (node < first_leaf_) {
    const double left = nodes_[2 * node], right = nodes_[2 * node + 1];
    // Rounding may leave `at` at or above the sum of the right child: never step into an empty one.
    const bool go_left = at < left || right == 0.0;
    if (!go_left) at -= left;
    node = 2 * node + (go_left ? 0 : 1);
  }
  return node - first_leaf_;
}

void SumTree::restore(ByteReader& from) {
  from.get_again(nodes_, "priorities");
  for (std::size_t node = first_leaf_; node < nodes_.size(); ++node) check_saved(nodes_[node] >= 0.0, "priorities");
  for (std::size_t node = 1; node < first_leaf_; ++node)
    check_saved(nodes_[node] == nodes_[2 * node] + nodes_[2 * node + 1], "priorities");
}

}  // namespace politex::inline base
