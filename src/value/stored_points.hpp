// The newest transitions where states are not listed: points of a tree's observations in the order of the run, with the
// actions between them and their costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/features/cell_tree.hpp"
#include "politex/value/phase.hpp"

namespace politex::inline value {

class StoredPoints {
 public:
  /// Keeps at least the newest `most` points, and fewer than twice as many after each phase.
  StoredPoints(int numbers, std::int64_t most) : numbers_(static_cast<std::size_t>(numbers)), most_(most) {}

  /// Appends the slots of a phase. Returns how many of the oldest points were forgotten.
  std::size_t add(const CellTree& tree, const Phase& phase);

  std::size_t size() const noexcept { return taken_.size(); }
  std::span<const float> point(std::size_t i) const noexcept {
    return std::span(points_).subspan(i * numbers_, numbers_);
  }
  /// The action after which the next point followed; -1: what followed was not caused by an action.
  std::int32_t taken(std::size_t i) const noexcept { return taken_[i]; }
  double cost(std::size_t i) const noexcept { return costs_[i]; }

  void save(ByteWriter& to) const;
  /// Throws Error where the saved points do not fit.
  void restore(ByteReader& from, int actions);

 private:
  std::size_t numbers_;
  std::int64_t most_;
  std::vector<float> points_;
  std::vector<std::int32_t> taken_;
  std::vector<double> costs_;
};

}  // namespace politex::inline value
