#include "politex/policy/sticky.hpp"

#include <gtest/gtest.h>

namespace politex {
namespace {

TEST(StickyExplorer, KeepsItsActionUntilItDrawsANewOne) {
  const StickyExplorer sticky(4, 0.1);
  ExplorerMemory memory;
  Rng rng(7), same(7);
  Action held = 0;
  for (int t = 0; t < 1000; ++t) {
    if (same.uniform() < 0.1) held = static_cast<Action>(same.below(4));
    EXPECT_EQ(sticky.act(std::span<const double>(), memory, rng), held);
  }
  EXPECT_EQ(memory.action, held);
}

TEST(StickyExplorer, IsNotATable) {
  PolicyTable table(3, 4);
  EXPECT_FALSE(StickyExplorer(4, 0.1).compile(table));
}

}  // namespace
}  // namespace politex
