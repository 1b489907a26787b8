#include "politex/features/cells.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "features/observations.hpp"

namespace politex {
namespace {

using test::ranges;
using test::row_of;

int cell_of(const Cells& cells, const std::vector<double>& observation) {
  const SparseRows row = row_of(cells, observation);
  EXPECT_EQ(row.rows(), 1);
  EXPECT_EQ(row.index.size(), 1U);
  EXPECT_EQ(row.value[0], 1.0);
  EXPECT_GE(row.index[0], 0);
  EXPECT_LT(row.index[0], cells.columns());
  return row.index[0];
}

TEST(Cells, AreAGridOverTheRanges) {
  const Cells cells(ranges, 4, 1000);
  EXPECT_EQ(cells.columns(), 64);
  EXPECT_EQ(cells.exclusive(), 64);
  EXPECT_TRUE(cells.partition());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        for (const double within : {0.01, 0.5, 0.99}) {
          const auto place = [&](int axis, int cell) {
            const Range& range = ranges[static_cast<std::size_t>(axis)];
            return range.low + (range.high - range.low) * (cell + within) / 4.0;
          };
          EXPECT_EQ(cell_of(cells, {place(0, i), place(1, j), place(2, k)}), 16 * i + 4 * j + k);
        }
}

TEST(Cells, WhatIsBeyondARangeIsInTheOutermostCell) {
  const Cells cells(ranges, 4, 1000);
  EXPECT_EQ(cell_of(cells, {-1e9, -1e9, -1e9}), 0);
  EXPECT_EQ(cell_of(cells, {1e9, 1e9, 1e9}), 63);
  EXPECT_EQ(cell_of(cells, {3.0, 0.5, 20.0}), 63);
}

TEST(Cells, HaveAUsualNumber) {
  const Range unit{0.0, 1.0};
  EXPECT_EQ(Cells({unit}, 0, 20'000).columns(), 40);
  EXPECT_EQ(Cells({unit, unit}, 0, 20'000).columns(), 1600);
  EXPECT_EQ(Cells({unit, unit, unit, unit}, 0, 20'000).columns(), 10'000);
}

/// 8000 cells into 500: each takes 16 on average, and with a fair hash the fullest of 500 has about 31 (more than 48
/// has probability below 1e-8).
TEST(Cells, TooManyAreHashedEvenly) {
  const Cells cells(ranges, 20, 500);
  EXPECT_EQ(cells.columns(), 500);
  std::map<int, int> taken;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 20; ++k) {
        const auto place = [&](int axis, int cell) {
          const Range& range = ranges[static_cast<std::size_t>(axis)];
          return range.low + (range.high - range.low) * (cell + 0.5) / 20.0;
        };
        ++taken[cell_of(cells, {place(0, i), place(1, j), place(2, k)})];
      }
  EXPECT_GT(taken.size(), 495U);
  for (const auto& [cell, count] : taken) EXPECT_LT(count, 48) << cell;
}

}  // namespace
}  // namespace politex
