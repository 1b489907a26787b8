#include "politex/features/cell_tree.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

struct Box {
  std::array<float, 2> low{0.0F, 0.0F}, high{2.0F, 2.0F};  // above every point
};

// Against a list of boxes that is split in the same way.
TEST(CellTree, FindsTheBoxThatHoldsAPoint) {
  Rng rng(1);
  CellTree tree({{-1, 1}, {0, 10}}, 50);
  std::vector<Box> boxes(1);
  while (!tree.full()) {
    const auto leaf = static_cast<std::int32_t>(rng.below(tree.nodes().size()));
    const CellTree::Node node = tree.nodes()[static_cast<std::size_t>(leaf)];
    if (node.coordinate >= 0) continue;
    const std::size_t k = rng.below(2);
    Box& box = boxes[static_cast<std::size_t>(node.cell)];
    const auto threshold = box.low[k] + static_cast<float>(rng.uniform()) * (box.high[k] - box.low[k]);
    tree.split(leaf, static_cast<int>(k), threshold);
    Box above = box;
    box.high[k] = above.low[k] = threshold;
    boxes.push_back(above);
  }
  ASSERT_EQ(tree.cells(), 50);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<double> observation{-1.2 + 2.4 * rng.uniform(), -1.0 + 12.0 * rng.uniform()};
    std::vector<float> point;
    tree.append_point(observation, point);
    const Box& box = boxes[static_cast<std::size_t>(tree.cell(point))];
    for (std::size_t k = 0; k < 2; ++k) EXPECT_TRUE(box.low[k] <= point[k] && point[k] < box.high[k]);
    EXPECT_EQ(tree.cell_of(observation), tree.cell(point));
  }
  ByteWriter saved;
  tree.save(saved);
  CellTree again({{-1, 1}, {0, 10}}, 50);
  ByteReader from(saved.bytes());
  again.restore(from);
  EXPECT_EQ(again.cells(), tree.cells());
  for (int i = 0; i < 500; ++i) {
    const std::vector<float> point{static_cast<float>(rng.uniform()), static_cast<float>(rng.uniform())};
    EXPECT_EQ(again.cell(point), tree.cell(point));
  }
}

TEST(CellTree, RefusesASavedTreeThatDoesNotFit) {
  CellTree tree({{0, 1}, {0, 1}}, 8);
  tree.split(0, 1, 0.5F);
  tree.split(2, 0, 0.25F);
  ByteWriter saved;
  tree.save(saved);
  CellTree narrow({{0, 1}}, 8), small({{0, 1}, {0, 1}}, 2);
  ByteReader one(saved.bytes()), two(saved.bytes());
  EXPECT_THROW(narrow.restore(one), Error);
  EXPECT_THROW(small.restore(two), Error);
  // A child that points back would be a walk without end.
  std::vector<CellTree::Node> nodes(tree.nodes().begin(), tree.nodes().end());
  nodes[2].below = 0;
  ByteWriter loop;
  loop.put(nodes);
  ByteReader three(loop.bytes());
  EXPECT_THROW(tree.restore(three), Error);
}

}  // namespace
}  // namespace politex
