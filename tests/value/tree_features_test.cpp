#include "politex/value/tree_features.hpp"

#include <gtest/gtest.h>

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

TEST(TreeFeatures, TheGridIsCoarserForMoreNumbers) {
  EXPECT_EQ(TreeFeatures(std::vector<Range>(6), 0, 20'000).cells(), 4096);
  EXPECT_EQ(TreeFeatures(std::vector<Range>(8), 0, 20'000).cells(), 20'000);  // 65,536 are hashed
}

}  // namespace
}  // namespace politex
