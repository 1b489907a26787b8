// Tile coding of continuous observations.
#pragma once

#include <cstdint>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

/// `tilings` grids of `tiles` cells per coordinate, each shifted by its own fraction of a cell; one cell of each is on.
class Tiles final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 5000 features.
  Tiles(std::vector<Range> ranges, std::int64_t tilings, std::int64_t tiles);
  int columns() const override { return static_cast<int>(tilings_ * cells_); }
  int exclusive() const override { return static_cast<int>(cells_); }  // the first tiling
  void append(std::span<const double> observation, SparseRows& into) const override;

 private:
  std::vector<Range> ranges_;
  std::int64_t tilings_, tiles_, cells_ = 1;
};

struct FeaturesEntry;
const FeaturesEntry& tiles_entry();

}  // namespace politex::inline features
