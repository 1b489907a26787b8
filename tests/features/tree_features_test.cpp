#include "politex/features/tree_features.hpp"

#include <gtest/gtest.h>

#include "politex/features/features_entry.hpp"

namespace politex {
namespace {

TEST(TreeFeatures, ARowIsACellOfTheTreeAndACellOfTheGrid) {
  const TreeFeatures features({{0, 1}, {0, 1}}, 0, 1000);
  EXPECT_EQ(features.cells(), 12 * 12);  // 24 divided by two numbers
  EXPECT_EQ(features.columns(), 1000 + 144);
  EXPECT_EQ(features.exclusive(), 1000);
  EXPECT_FALSE(features.partition());
  SparseRows rows;
  features.append(std::vector{0.99, 0.01}, rows);
  features.tree()->split(0, 0, 0.5F);
  features.append(std::vector{0.99, 0.01}, rows);
  EXPECT_EQ(std::vector(rows.indices(0).begin(), rows.indices(0).end()),
            (std::vector<std::int32_t>{0, 1000 + 11 * 12}));
  EXPECT_EQ(std::vector(rows.indices(1).begin(), rows.indices(1).end()),
            (std::vector<std::int32_t>{1, 1000 + 11 * 12}));
  EXPECT_EQ(rows.values(1)[0], 1.0);
  EXPECT_EQ(rows.values(1)[1], 1.0);
}

/// Columns of the map for states that are all combinations of `side` values along `axes` axes.
int columns_for(int side, int axes, int actions) {
  FiniteModel model;
  model.states = 1;
  for (int k = 0; k < axes; ++k) model.states *= side;
  model.actions = actions;
  int step = 1;
  for (int k = 0; k < axes; ++k, step *= side) {
    model.axes.emplace_back();
    for (int x = 0; x < model.states; ++x) model.axes.back().push_back(x / step % side);
  }
  Space space;
  space.states = model.states;
  space.actions = actions;
  const Values none;
  return tree_entry().make({.values = none, .space = space, .model = &model})->columns();
}

// A table of four queues learns nothing in 300,000 steps; DeepSea needs one.
TEST(TreeFeatures, ManyListedStatesAlongThreeAxesAreAdditive) {
  EXPECT_EQ(columns_for(6, 4, 4), 4 * 6);          // 5,184 pairs
  EXPECT_EQ(columns_for(10, 3, 2), 10 * 10 * 10);  // 2,000 pairs are few
  EXPECT_EQ(columns_for(10, 3, 3), 3 * 10);        // 3,000 are not
  EXPECT_EQ(columns_for(50, 2, 2), 50 * 50);       // two axes: 5,000 pairs of DeepSea
}

TEST(TreeFeatures, TheGridIsCoarserForMoreNumbers) {
  EXPECT_EQ(TreeFeatures(std::vector<Range>(6), 0, 20'000).cells(), 4096);
  EXPECT_EQ(TreeFeatures(std::vector<Range>(8), 0, 20'000).cells(), 20'000);  // 65,536 are hashed
}

}  // namespace
}  // namespace politex
