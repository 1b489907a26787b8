// Tile coding and the Fourier basis against their formulas.
#include "politex/value/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "politex/base/error.hpp"
#include "politex/env/classic_control.hpp"

namespace politex {
namespace {

const std::vector<Range> ranges = {{-1.0, 3.0}, {0.0, 0.5}, {10.0, 20.0}};

template <class Basis>
SparseRows row_of(const Basis& basis, const std::vector<double>& observation) {
  SparseRows rows;
  basis.append(observation, rows);
  return rows;
}

std::vector<double> random_observation(Rng& rng, double beyond) {
  std::vector<double> all;
  for (const Range& range : ranges)
    all.push_back(range.low + (range.high - range.low) * (rng.uniform() * (1.0 + 2.0 * beyond) - beyond));
  return all;
}

std::vector<double> clamped(std::vector<double> observation) {
  for (std::size_t k = 0; k < ranges.size(); ++k)
    observation[k] = std::min(std::max(observation[k], ranges[k].low), ranges[k].high);
  return observation;
}

/// Cell of a coordinate: how many of the tiling's boundaries lie at or below it. Boundary n stands at (n - shift) cells
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

TEST(Tiles, FarOutsideIsTheNearestEnd) {
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

TEST(Fourier, IsTheProductFreeCosineBasis) {
  const Fourier basis(ranges, 3);
  ASSERT_EQ(basis.columns(), 64);
  EXPECT_EQ(basis.exclusive(), 0);
  Rng rng(3);
  for (int trial = 0; trial < 500; ++trial) {
    const auto observation = random_observation(rng, 0.2);
    const auto inside = clamped(observation);
    std::vector<double> u;
    for (std::size_t k = 0; k < 3; ++k) u.push_back((inside[k] - ranges[k].low) / (ranges[k].high - ranges[k].low));
    const SparseRows row = row_of(basis, observation);
    ASSERT_EQ(row.index.size(), 64u);
    for (int c0 = 0; c0 <= 3; ++c0)
      for (int c1 = 0; c1 <= 3; ++c1)
        for (int c2 = 0; c2 <= 3; ++c2) {
          const auto at = static_cast<std::size_t>(c0 + 4 * c1 + 16 * c2);
          EXPECT_EQ(row.index[at], static_cast<int>(at));
          EXPECT_NEAR(row.value[at], std::cos(3.141592653589793 * (c0 * u[0] + c1 * u[1] + c2 * u[2])), 1e-13);
        }
  }
  for (const double value : row_of(basis, {-1.0, 0.0, 10.0}).value) EXPECT_EQ(value, 1.0);  // the low corner
}

TEST(Basis, TooManyFeaturesAreRefused) {
  const auto key = [](const auto& make) {
    try {
      make();
    } catch (const ConfigError& error) {
      return error.key();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(key([] { Tiles(ranges, 40, 5); }), "accepted");  // 5000 exactly
  EXPECT_EQ(key([] { Tiles(ranges, 41, 5); }), "features.tiles");
  EXPECT_EQ(key([] { Tiles(ranges, 1, 18); }), "features.tiles");
  EXPECT_EQ(key([] { Fourier(ranges, 16); }), "accepted");  // 4913
  EXPECT_EQ(key([] { Fourier(ranges, 17); }), "features.order");
  EXPECT_EQ(key([] { Fourier(std::vector<Range>(200), 1000); }), "features.order");  // no overflow on the way
}

TEST(Observed, AppliesTheBasisToWhatIsObserved) {
  const MountainCar world;
  const Fourier basis({{-1.0, 1.0}, {-1.0, 1.0}}, 4);
  const Observed map(world, basis);
  EXPECT_EQ(map.columns(), 25);
  EXPECT_TRUE(map.replicated());
  Rng rng(4);
  auto state = world.start(rng);
  for (int t = 0; t < 50; ++t) {
    world.step(state, t % 3, rng);
    std::vector<double> observation(2);
    world.observe(state, observation);
    SparseRows got;
    map.append(state, got);
    EXPECT_EQ(got.value, row_of(basis, observation).value);
  }
}

}  // namespace
}  // namespace politex
