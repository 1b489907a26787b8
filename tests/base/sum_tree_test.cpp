#include "politex/base/sum_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

TEST(SumTree, FindsTheLeafOfTheCumulativeSum) {
  Rng rng(31);
  SumTree tree(13);
  std::vector<double> p(13);
  for (int round = 0; round < 200; ++round) {
    const std::size_t leaf = rng.below(13);
    tree.set(leaf, p[leaf] = rng.uniform() < 0.2 ? 0.0 : rng.uniform());
    double total = 0;
    for (const double x : p) total += x;
    EXPECT_NEAR(tree.total(), total, 1e-12);
    if (total == 0) continue;
    const double at = rng.uniform() * tree.total();
    double sum = 0;
    std::size_t expected = 0;
    while (sum + p[expected] <= at) sum += p[expected++];
    EXPECT_EQ(tree.find(at), expected);
    EXPECT_GT(tree.priority(tree.find(tree.total())), 0.0);  // the end itself, after rounding
  }
}

TEST(SumTree, SamplesInProportion) {
  SumTree tree(4);
  const std::vector<double> p = {1, 0, 3, 6};
  for (std::size_t i = 0; i < 4; ++i) tree.set(i, p[i]);
  Rng rng(32);
  std::vector<int> seen(4);
  const int draws = 100'000;
  for (int i = 0; i < draws; ++i) ++seen[tree.find(rng.uniform() * tree.total())];
  EXPECT_EQ(seen[1], 0);
  // 5 standard deviations on three counts: a false alarm in about 2 million seeds.
  for (const std::size_t i : {0U, 2U, 3U})
    EXPECT_NEAR(seen[i], draws * p[i] / 10, 5 * std::sqrt(draws * p[i] / 10 * (1 - p[i] / 10)));
}

}  // namespace
}  // namespace politex
