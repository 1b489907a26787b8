// Tile coding against its formula.
#include "politex/features/tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
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

TEST(Tiles, AtMostTenMillionFeatures) {
  EXPECT_NO_THROW(Tiles(ranges, 10, 100));  // 10^7 exactly
  for (const auto& [tilings, tiles] : {std::pair{11, 100}, {1, 216}}) {
    try {
      Tiles(ranges, tilings, tiles);
      ADD_FAILURE() << tilings << " " << tiles;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "features.tiles");
    }
  }
}

TEST(Tiles, HashedTilesStayInTheirGridAndSharedOnesAreCounted) {
  const Tiles hashed(ranges, {.tilings = 4, .tiles = 8, .memory = 400, .groups = ""});
  const Tiles plain(ranges, 4, 8);
  EXPECT_EQ(hashed.columns(), 400);
  EXPECT_EQ(hashed.exclusive(), 100);
  Rng rng(3);
  std::map<std::int32_t, std::set<std::int32_t>> tiles;  // column -> the tiles hashed to it
  for (int trial = 0; trial < 300; ++trial) {
    const auto point = random_observation(rng, 0.0);
    const auto one = row_of(hashed, point), other = row_of(plain, point);
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_EQ(one.index[t] / 100, static_cast<std::int32_t>(t));
      EXPECT_EQ(one.value[t], 1.0);
      tiles[one.index[t]].insert(other.index[t]);
    }
  }
  const auto shared = std::ranges::count_if(tiles, [](const auto& each) { return each.second.size() > 1; });
  EXPECT_EQ(hashed.use().used, static_cast<std::int64_t>(tiles.size()));
  EXPECT_EQ(hashed.use().shared, shared);
  EXPECT_GT(shared, 50);
  EXPECT_NE(hashed.remark().find("have several tiles hashed to them"), std::string::npos);
  // A copy from a checkpoint says the same.
  ByteWriter saved;
  hashed.save(saved);
  Tiles copy(ranges, {.tilings = 4, .tiles = 8, .memory = 400, .groups = ""});
  EXPECT_EQ(copy.remark(), "");
  ByteReader reader(saved.bytes());
  copy.restore(reader);
  EXPECT_EQ(copy.remark(), hashed.remark());
  EXPECT_EQ(plain.remark(), "");
}

TEST(Tiles, MemoryForEveryTileChangesNothing) {
  const Tiles roomy(ranges, {.tilings = 4, .tiles = 5, .memory = 500, .groups = ""}), plain(ranges, 4, 5);
  Rng rng(4);
  for (int trial = 0; trial < 100; ++trial) {
    const auto point = random_observation(rng, 0.1);
    EXPECT_EQ(row_of(roomy, point).index, row_of(plain, point).index);
  }
}

TEST(Tiles, GroupsAreTilesOfTheirCoordinates) {
  const Tiles grouped(ranges, {.tilings = 2, .tiles = 4, .memory = 0, .groups = "2,0; 1"});
  const Tiles pair({ranges[2], ranges[0]}, 2, 4), single({ranges[1]}, 2, 4);
  EXPECT_EQ(grouped.columns(), 2 * 16 + 2 * 4);
  Rng rng(5);
  for (int trial = 0; trial < 100; ++trial) {
    const auto point = random_observation(rng, 0.1);
    auto expected = row_of(pair, {point[2], point[0]}).index;
    for (const std::int32_t index : row_of(single, {point[1]}).index) expected.push_back(32 + index);
    EXPECT_EQ(row_of(grouped, point).index, expected);
  }
}

TEST(Tiles, WhatIsNoGroupOrTooLittleMemoryIsRefused) {
  for (const char* groups : {"3", "0,0", "0,;1", "0;", "a", "-1", "0 1"}) {
    try {
      Tiles(ranges, {.tilings = 2, .tiles = 4, .memory = 0, .groups = groups});
      ADD_FAILURE() << groups;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "features.groups");
    }
  }
  EXPECT_THROW(Tiles(ranges, {.tilings = 8, .tiles = 4, .memory = 7, .groups = ""}), ConfigError);
}

}  // namespace
}  // namespace politex
