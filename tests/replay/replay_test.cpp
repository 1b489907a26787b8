#include "politex/replay/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex::neural {
namespace {

Window window(const std::vector<float>& state, const std::vector<float>& next, int action) {
  return {.state = state, .next = next, .action = action, .next_action = action - 1, .length = 7, .cost = 0.5F};
}

TEST(Replay, KeepsTheNewestAndKnowsStalePolicies) {
  Replay replay(3, {2}, 2);
  const std::vector<float> policy = {0.25F, 0.75F};
  for (int i = 0; i < 5; ++i) {
    const auto f = static_cast<float>(i);
    EXPECT_EQ(replay.add(window({f, -f}, {f + 100, f}, i % 2), policy, i < 4 ? 1 : 2),
              static_cast<std::uint32_t>(i % 3));
  }
  EXPECT_EQ(replay.size(), 3);
  EXPECT_EQ(replay.added(), 5);
  Batch batch;
  batch.resize(3, 2, 2);
  batch.rows = {0, 1, 2};  // windows 3, 4, 2
  replay.gather(batch, 2);
  EXPECT_EQ(batch.states, (Floats{3, -3, 4, -4, 2, -2}));
  EXPECT_EQ(batch.nexts, (Floats{103, 3, 104, 4, 102, 2}));
  EXPECT_EQ(batch.actions, (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(batch.next_actions, (std::vector<int>{0, -1, -1}));
  EXPECT_EQ(batch.lengths, (std::vector<int>{7, 7, 7}));
  EXPECT_EQ(batch.stale, (std::vector<int>{0, 2}));
  EXPECT_EQ(batch.policies[2], 0.25F);
  const std::vector<float> fresh = {0.5F, 0.5F};
  replay.set_policy(0, fresh, 2);
  replay.gather(batch, 2);
  EXPECT_EQ(batch.stale, (std::vector<int>{2}));
  EXPECT_EQ(batch.policies[0], 0.5F);
}

TEST(Replay, SaveAndRestoreKeepAllButThePolicies) {
  Replay one(4, {1}, 2), other(4, {1}, 2), smaller(2, {1}, 2);
  const std::vector<float> policy = {0.5F, 0.5F};
  for (int i = 0; i < 6; ++i) one.add(window({static_cast<float>(i)}, {1}, 0), policy, 1);
  ByteWriter bytes;
  one.save(bytes);
  ByteReader reader(bytes.bytes());
  other.restore(reader);
  EXPECT_EQ(other.added(), 6);
  Batch batch;
  batch.resize(4, 1, 2);
  batch.rows = {0, 1, 2, 3};
  other.gather(batch, 1);
  EXPECT_EQ(batch.states, (Floats{4, 5, 2, 3}));
  EXPECT_EQ(batch.stale.size(), 4U);
  ByteReader again(bytes.bytes());
  EXPECT_THROW(smaller.restore(again), Error);
  EXPECT_THROW(Replay(0, {1}, 2), ConfigError);
}

TEST(Replay, KeepsBytesAsBytes) {
  Replay replay(3, {5, true}, 2);
  const std::vector<float> policy = {0.5F, 0.5F};
  std::vector<float> state, next;
  for (const int b : {0, 1, 127, 254, 255}) {
    state.push_back(static_cast<float>(b) / 255.0F);
    next.push_back(static_cast<float>(255 - b) / 255.0F);
  }
  replay.add({.state = state, .next = next}, policy, 1);
  Batch batch;
  batch.resize(1, 5, 2);
  replay.gather(batch, 1);
  EXPECT_TRUE(std::ranges::equal(batch.states, state));
  EXPECT_TRUE(std::ranges::equal(batch.nexts, next));
}

}  // namespace
}  // namespace politex::neural
