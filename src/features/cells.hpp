// A partition of the observations: one indicator per listed state, or per cell of a grid where states are not listed.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"
#include "politex/settings/key.hpp"

namespace politex::inline features {

/// A grid of `bins` cells along each number of an observation. If that is more than `memory` cells, several share an
/// index (hashing).
class Cells final : public FeatureMap {
 public:
  Cells(std::vector<Range> ranges, std::int64_t bins, std::int64_t memory);
  int columns() const override { return columns_; }
  int exclusive() const override { return columns_; }
  bool partition() const override { return true; }
  int cell(std::span<const double> observation) const noexcept;
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<Range> ranges_;
  std::int64_t bins_;
  int columns_;
  bool hashed_;
};

/// features.bins (0: as many as suit the features) and features.memory.
struct GridOptions {
  std::int64_t bins = 0, memory = 20'000;
};
Keys grid_keys();

struct FeaturesEntry;
const FeaturesEntry& cells_entry();

}  // namespace politex::inline features
