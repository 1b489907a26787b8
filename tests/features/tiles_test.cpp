// Tile coding against its formula.
#include "politex/features/tiles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>

#include "features/observations.hpp"
#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

using test::clamped;
using test::random_observation;
using test::ranges;
using test::row_of;

/// Cell of a coordinate: how many of the tiling's boundaries lie at or below it. Boundary n is at (n - shift) cells
/// from the low end, and the range is tiles - 1 cells long, so that a shifted grid still covers it.
int cells_passed(double value, const Range& range, int tiles, double shift) {
  int passed = 0;
  for (int n = 1; n < tiles; ++n) passed += value >= range.low + (n - shift) / (tiles - 1) * (range.high - range.low);
  return passed;
}

TEST(Tiles, OneCellOfEveryTilingIsOn) {
  constexpr int tilings = 8, tiles = 5;
  const Tiles basis(ranges, tilings, tiles);
  ASSERT_EQ(basis.exclusive(), 125);
  ASSERT_EQ(basis.columns(), 8 * 125);
  Rng rng(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto observation = random_observation(rng, 0.2);
    const auto inside = clamped(observation);
    const SparseRows row = row_of(basis, observation);
    ASSERT_EQ(row.rows(), 1);
    ASSERT_EQ(row.index.size(), 8u);
    for (int t = 0; t < tilings; ++t) {
      int cell = 0;
      for (int k = 0; k < 3; ++k) {
        const double shift = ((2 * k + 1) * t) % tilings / static_cast<double>(tilings);
        cell = cell * tiles +
               cells_passed(inside[static_cast<std::size_t>(k)], ranges[static_cast<std::size_t>(k)], tiles, shift);
      }
      EXPECT_EQ(row.index[static_cast<std::size_t>(t)], 125 * t + cell);
      EXPECT_EQ(row.value[static_cast<std::size_t>(t)], 1.0);
    }
  }
}

TEST(Tiles, TheFirstTilingIsExclusiveAndEveryCellOfItIsMet) {
  const Tiles basis({{0.0, 1.0}, {0.0, 1.0}}, 4, 4);
  std::set<int> met;
  for (int i = 0; i <= 60; ++i)
    for (int j = 0; j <= 60; ++j) {
      const SparseRows row = row_of(basis, {i / 60.0, j / 60.0});
      int on = 0;
      for (const int column : row.index) on += column < basis.exclusive();
      EXPECT_EQ(on, 1);
      for (const int column : row.index) met.insert(column);
    }
  for (int cell = 0; cell < basis.exclusive(); ++cell) EXPECT_TRUE(met.contains(cell)) << cell;
}

TEST(Tiles, FarOutOfRangeIsTheNearestEnd) {
  const Tiles basis(ranges, 3, 4);
  EXPECT_EQ(row_of(basis, {-1e9, 1e9, 15.0}).index, row_of(basis, {-1.0, 0.5, 15.0}).index);
  EXPECT_EQ(row_of(basis, {1e300, -1e300, 20.0}).index, row_of(basis, {3.0, 0.0, 20.0}).index);
  for (const int column : row_of(basis, {1e300, 1e300, 1e300}).index) EXPECT_LT(column, basis.columns());
}

TEST(Tiles, NearPointsShareMoreThanFarOnes) {
  const Tiles basis({{0.0, 1.0}}, 8, 11);  // cells of 0.1, shifted by eighths
  const auto shared = [&](double x, double y) {
    const auto one = row_of(basis, {x}).index, other = row_of(basis, {y}).index;
    int count = 0;
    for (std::size_t t = 0; t < one.size(); ++t) count += one[t] == other[t];
    return count;
  };
  Rng rng(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x = 0.8 * rng.uniform();
    EXPECT_GE(shared(x, x + 0.012), 7);  // less than an eighth of a cell: one boundary at most between them
    EXPECT_EQ(shared(x, x + 0.101), 0);  // more than a cell: one of every tiling's
  }
}

TEST(Tiles, AtMostFiveThousandFeatures) {
  EXPECT_NO_THROW(Tiles(ranges, 40, 5));  // 5000 exactly
  for (const auto& [tilings, tiles] : {std::pair{41, 5}, {1, 18}}) {
    try {
      Tiles(ranges, tilings, tiles);
      ADD_FAILURE() << tilings << " " << tiles;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "features.tiles");
    }
  }
}

}  // namespace
}  // namespace politex
