#include "politex/neural/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
#include "politex/neural/sum_tree.hpp"
#include "politex/neural/windows.hpp"

namespace politex::neural {
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

struct Made {
  float state, next, cost;
  int action, next_action, length;
  float policy;
  bool operator==(const Made&) const = default;
};

class Windows : public testing::Test {
 protected:
  WindowMaker maker{1, 0.5, 3, 2};
  std::vector<Made> made;
  WindowMaker::Sink sink = [this](const Window& w, std::span<const float> policy) {
    made.push_back({w.state[0], w.next[0], w.cost, w.action, w.next_action, w.length, policy[0]});
  };
  void step(float state, int action, int chooser, bool exploring, double cost) {
    const float policy = state + 0.5F;
    maker.step({&state, 1}, {&policy, 1}, action, chooser, exploring, cost, sink);
  }
  void truncate(float last) {
    const float policy = last + 0.5F;
    maker.truncate({&last, 1}, {&policy, 1}, sink);
  }
};

TEST_F(Windows, BootstrapAfterNSteps) {
  for (int t = 0; t < 5; ++t) step(static_cast<float>(t), t, 1, false, 8.0);
  EXPECT_EQ(made, (std::vector<Made>{{0, 3, 14, 0, 3, 3, 3.5F}, {1, 4, 14, 1, 4, 3, 4.5F}}));
}

TEST_F(Windows, StopAtATruncationWithTheLastObservation) {
  step(0, 0, 1, false, 8.0);
  step(1, 1, 1, false, 4.0);
  truncate(9);
  EXPECT_EQ(made, (std::vector<Made>{{0, 9, 10, 0, -1, 2, 9.5F}, {1, 9, 4, 1, -1, 1, 9.5F}}));
  step(5, 0, 1, false, 1.0);  // the new episode
  EXPECT_EQ(made.size(), 2U);
}

TEST_F(Windows, StopWithValueZeroWhereTheReturnEnds) {
  // n = 3, discount .5: returns 8 + 4/2 + 2/4 = 10.5, 4 + 2/2 = 5 and 2, none of which looks beyond.
  std::vector<bool> terminal;
  sink = [&](const Window& w, std::span<const float> policy) {
    made.push_back({w.state[0], w.next[0], w.cost, w.action, w.next_action, w.length, policy[0]});
    terminal.push_back(w.terminal);
  };
  step(0, 0, 1, false, 8.0);
  step(1, 1, 1, false, 4.0);
  step(2, 0, 1, false, 2.0);
  const float last = 2, policy = 2.5F;
  maker.terminate({&last, 1}, {&policy, 1}, sink);
  EXPECT_EQ(made,
            (std::vector<Made>{{0, 2, 10.5F, 0, -1, 3, 2.5F}, {1, 2, 5, 1, -1, 2, 2.5F}, {2, 2, 2, 0, -1, 1, 2.5F}}));
  step(3, 1, 1, false, 1.0);  // the world goes on: the next life owes nothing to the last one
  for (int t = 4; t < 7; ++t) step(static_cast<float>(t), 0, 1, false, 0.0);
  EXPECT_EQ(made.back(), (Made{3, 6, 1, 1, 0, 3, 6.5F}));
  EXPECT_EQ(terminal, (std::vector<bool>{true, true, true, false}));
}

TEST_F(Windows, StopWhereAnotherPolicyTakesOver) {
  step(0, 0, 1, false, 8.0);
  step(1, 1, 2, false, 4.0);
  EXPECT_EQ(made, (std::vector<Made>{{0, 1, 8, 0, -1, 1, 1.5F}}));
}

TEST_F(Windows, ExplorersHaveTheirOwnLength) {
  for (int t = 0; t < 4; ++t) step(static_cast<float>(t), t, 0, true, 8.0);
  EXPECT_EQ(made, (std::vector<Made>{{0, 2, 12, 0, 2, 2, 2.5F}, {1, 3, 12, 1, 3, 2, 3.5F}}));
}

TEST_F(Windows, SaveAndRestore) {
  step(0, 0, 1, false, 8.0);
  ByteWriter bytes;
  maker.save(bytes);
  ByteReader reader(bytes.bytes());
  maker = WindowMaker(1, 0.5, 3, 2);
  maker.restore(reader);
  for (int t = 1; t < 4; ++t) step(static_cast<float>(t), t, 1, false, 8.0);
  EXPECT_EQ(made, (std::vector<Made>{{0, 3, 14, 0, 3, 3, 3.5F}}));
}

}  // namespace
}  // namespace politex::neural
