// Tile coding of continuous observations, with hashing where the grids have more tiles than there is memory for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "politex/env/range.hpp"
#include "politex/features/feature_map.hpp"

namespace politex::inline features {

struct TilesOptions {
  std::int64_t tilings = 8, tiles = 8;
  std::int64_t memory = 0;  // columns of all grids together; 0: no hashing
  std::string groups;       // as features.groups
};

/// Every product of coordinates has `tilings` grids of `tiles` cells per coordinate, each shifted by its own fraction
/// of a cell; one cell of each grid is on. Each grid has its own columns: all of its cells, or its share of the memory,
/// to which the cells are hashed.
class Tiles final : public FeatureMap {
 public:
  /// Throws ConfigError where there would be more than 10^7 features, or less memory than grids.
  Tiles(std::vector<Range> ranges, const TilesOptions& options);
  Tiles(std::vector<Range> ranges, std::int64_t tilings, std::int64_t tiles)
      : Tiles(std::move(ranges), {.tilings = tilings, .tiles = tiles, .memory = 0, .groups = {}}) {}
  int columns() const override { return static_cast<int>(columns_); }
  int exclusive() const override { return static_cast<int>(grids_.front().columns); }
  /// The last grid, where there are too many features to explore them one by one.
  int cells() const override;
  std::string remark() const override;
  void save(ByteWriter& to) const override;
  void restore(ByteReader& from) override;
  void append(std::span<const double> observation, SparseRows& into) const override;

  /// Columns that were on, and those that more than one tile was hashed to.
  struct Use {
    std::int64_t used = 0, shared = 0;
  };
  Use use() const;

 private:
  struct Grid {
    std::vector<std::size_t> coordinates;
    std::vector<double> shifts;  // in cells
    std::int64_t first = 0, columns = 0;
    bool hashed = false;
  };
  std::int64_t hashed(const Grid& grid) const;

  std::vector<Range> ranges_;
  TilesOptions options_;
  std::vector<Grid> grids_;
  std::int64_t columns_ = 0;
  mutable std::vector<double> positions_;
  // Of hashed grids, by column: what identifies the first tile that was hashed to it, and in the last bit whether
  // another one followed. 0: none.
  mutable std::vector<std::uint32_t> owners_;
};

struct FeaturesEntry;
const FeaturesEntry& tiles_entry();

}  // namespace politex::inline features
