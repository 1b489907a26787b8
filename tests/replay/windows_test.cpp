#include "politex/replay/windows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace politex::neural {
namespace {

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
  step(3, 1, 1, false, 1.0);  // the environment continues: no cost of the next life counts for the last one
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
  maker.restore(reader, 4);
  for (int t = 1; t < 4; ++t) step(static_cast<float>(t), t, 1, false, 8.0);
  EXPECT_EQ(made, (std::vector<Made>{{0, 3, 14, 0, 3, 3, 3.5F}}));
}

}  // namespace
}  // namespace politex::neural
