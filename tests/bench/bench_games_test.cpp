#include "politex/bench/bench_games.hpp"

#include <gtest/gtest.h>

namespace politex {
namespace {

TEST(GameRows, AreMediansOfTheMeasuredTimes) {
  const auto rows = game_rows({.alone = {100.0, 300.0, 200.0, 200.0, 400.0, 600.0},
                               .learning = {150.0, 100.0, 450.0},
                               .emulating_us = {3.0, 1.0, 2.0},
                               .learning_us = {30.0, 10.0, 20.0}});
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].value, 300.0);
  EXPECT_EQ(rows[1].value, 150.0);
  EXPECT_EQ(rows[2].value, 0.75);  // of 150 / 200, 100 / 200, 450 / 500
  EXPECT_EQ(rows[2].aim, 0.85);
  EXPECT_FALSE(rows[2].at_most);
  EXPECT_EQ(rows[3].value, 2.0);
  EXPECT_EQ(rows[4].value, 20.0);
  for (const NeuralBenchRow& row : rows) EXPECT_NE(row.unit, "") << row.name;
}

}  // namespace
}  // namespace politex
