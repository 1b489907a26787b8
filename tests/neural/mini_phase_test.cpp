#include "politex/neural/mini_phase.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "politex/policy/always.hpp"
#include "politex/policy/uniform.hpp"

namespace politex::neural {
namespace {

Space two_actions() {
  Space space;
  space.actions = 2;
  return space;
}

/// The action of the next step, by the explorer or by the policy.
Action act(MiniPhase& mini_phase, const Explorer* explorer, const MiniPhaseLengths& lengths,
           std::span<const float> state, std::span<const float> policy) {
  return mini_phase.next(explorer != nullptr, lengths) ? mini_phase.explore(*explorer, state)
                                                       : mini_phase.follow(policy);
}

/// Takes `steps` steps; whether the explorer acted in each. An episode has `episode` steps (0: it never ends).
std::vector<bool> explored(MiniPhase& mini_phase, const Explorer* explorer, const MiniPhaseLengths& lengths, int steps,
                           int episode) {
  const std::vector<float> state = {0.0F}, policy = {1.0F, 0.0F};
  std::vector<bool> by;
  for (int t = 1; t <= steps; ++t) {
    const Action action = act(mini_phase, explorer, lengths, state, policy);
    EXPECT_EQ(action, mini_phase.exploring() ? 1 : 0);
    by.push_back(mini_phase.exploring());
    mini_phase.moved({.truncated = episode > 0 && t % episode == 0});
  }
  return by;
}

std::vector<bool> in_turn(bool exploring, int explore, int follow, int steps) {
  std::vector<bool> by;
  while (static_cast<int>(by.size()) < steps) {
    by.insert(by.end(), static_cast<std::size_t>(exploring ? explore : follow), exploring);
    exploring = !exploring;
  }
  by.resize(static_cast<std::size_t>(steps));
  return by;
}

TEST(MiniPhase, ExplorerAndPolicyActInTurn) {
  const AlwaysExplorer explorer(1, two_actions());
  for (const bool first : {true, false}) {
    MiniPhase mini_phase(1, 0, !first);
    EXPECT_EQ(explored(mini_phase, &explorer, {.explore = 3, .follow = 5}, 20, 0), in_turn(first, 3, 5, 20));
  }
}

TEST(MiniPhase, SegmentsWaitForTheEndOfTheirEpisode) {
  const AlwaysExplorer explorer(1, two_actions());
  MiniPhase mini_phase(1, 0, false);
  EXPECT_EQ(explored(mini_phase, &explorer, {.explore = 3, .follow = 5, .whole_episodes = true}, 24, 4),
            in_turn(true, 4, 8, 24));
}

TEST(MiniPhase, WithoutAnExplorerThePolicyActs) {
  MiniPhase mini_phase(1, 0, false);
  EXPECT_EQ(explored(mini_phase, nullptr, {.explore = 3, .follow = 5}, 12, 0), std::vector<bool>(12, false));
}

TEST(MiniPhase, SkippedStepsDoNotCount) {
  const AlwaysExplorer explorer(1, two_actions());
  const std::vector<float> state = {0.0F}, policy = {1.0F, 0.0F};
  MiniPhase mini_phase(1, 0, false);
  const MiniPhaseLengths lengths{.explore = 2, .follow = 2};
  int step = 0;
  for (const bool exploring : {true, true, true, false, false, true}) {
    act(mini_phase, &explorer, lengths, state, policy);
    EXPECT_EQ(mini_phase.exploring(), exploring);
    mini_phase.moved({.skipped = step++ == 1});
  }
}

TEST(MiniPhase, ARestoredOneContinues) {
  const UniformExplorer explorer(5);
  const MiniPhaseLengths lengths{.explore = 3, .follow = 4};
  const std::vector<float> state = {0.0F}, policy(5, 0.2F);
  MiniPhase one(7, 3, false);
  const auto taken = [&](MiniPhase& mini_phase) {
    const Action action = act(mini_phase, &explorer, lengths, state, policy);
    mini_phase.moved({});
    return action;
  };
  for (int t = 0; t < 9; ++t) taken(one);
  // The streams are named by seed and environment, so that only their positions are saved.
  MiniPhase restored(7, 3, false);
  ByteWriter saved;
  one.save(saved);
  ByteReader from(saved.bytes());
  restored.restore(from, 2);
  EXPECT_TRUE(from.empty());
  for (int t = 0; t < 30; ++t) EXPECT_EQ(taken(restored), taken(one)) << t;
}

}  // namespace
}  // namespace politex::neural
