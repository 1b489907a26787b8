#include "politex/base/sum_tree.hpp"

#include <bit>

#include "politex/base/error.hpp"

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
  std::vector<double> nodes;
  from.get(nodes);
  if (nodes.size() != nodes_.size()) throw Error("the saved priorities have another size than the configuration");
  nodes_ = std::move(nodes);
}

}  // namespace politex::inline base
