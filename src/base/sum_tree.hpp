// Sampling in proportion to priorities that change: a binary tree of sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "politex/base/bytes.hpp"

namespace politex::inline base {

class SumTree {
 public:
  explicit SumTree(std::size_t leaves);

  /// A parent is always the sum of its two children, never an accumulated difference: no drift.
  void set(std::size_t leaf, double priority) noexcept;
  double priority(std::size_t leaf) const noexcept { return nodes_[first_leaf_ + leaf]; }
  double total() const noexcept { return nodes_[1]; }
  /// The leaf in whose share of [0, total) `at` falls; a leaf of priority 0 is never found.
  std::size_t find(double at) const noexcept;

  void save(ByteWriter& to) const { to.put(nodes_); }
  void restore(ByteReader& from);

 private:
  std::size_t first_leaf_;
  std::vector<double> nodes_;  // node 1 is the root, 2k and 2k+1 are the children of k
};

}  // namespace politex::inline base
