// The explorer that learns: the same bits on any number of threads and ranks, and after a checkpoint.
#include <gtest/gtest.h>

#include "base/thread_fleet.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/neural/neural_politex.hpp"

namespace politex::neural {
namespace {

Settings shared_settings(int threads) {
  Settings s;
  s.steps = 7'003;  // ends within a learner step and within a round
  s.seed = 4;
  s.hidden = {16};
  s.replay = 2'000;  // wraps around
  s.phase_scale = 10;
  s.learner.batch = 16;
  s.policy.ring = 3;
  s.actors.environments = 5;  // chunks end within rounds
  s.actors.explore = 30;
  s.actors.threads = threads;
  return s;
}

BlockMaker cartpoles() { return blocks_of(Cartpole({.episode = 40}), 4); }

std::shared_ptr<const Explorer> learning_explorer() {
  return std::make_shared<NoveltyExplorer>(NoveltyOptions{.hidden = 16, .renew = 160}, Cartpole().space());
}

std::string end_of_run(NeuralPolitex& agent) {
  while (!agent.done()) agent.advance();
  ByteWriter bits;
  agent.novelty()->save(bits);
  Signature all;
  all.add(std::span<const std::byte>(bits.bytes()));
  return agent.signature() + " " + all.text();
}

const std::string& alone_to_the_end() {
  static const std::string end = [] {
    NeuralPolitex agent(shared_settings(0), cartpoles(), learning_explorer());
    return end_of_run(agent);
  }();
  return end;
}

TEST(NoveltyThreads, AnyNumberOfThreadsGivesTheSameBits) {
  for (const int threads : {1, 2, 3}) {
    NeuralPolitex agent(shared_settings(threads), cartpoles(), learning_explorer());
    EXPECT_EQ(end_of_run(agent), alone_to_the_end()) << threads;
  }
}

TEST(NoveltyThreads, ResumesToTheBitFromEveryCheckpoint) {
  NeuralPolitex agent(shared_settings(2), cartpoles(), learning_explorer());
  for (int checkpoint = 0; !agent.done(); ++checkpoint) {
    agent.advance();
    if (checkpoint % 7 != 0) continue;
    ByteWriter saved;
    agent.save(saved);
    NeuralPolitex again(shared_settings(1), cartpoles(), learning_explorer());
    ByteReader from(saved.bytes());
    again.restore(from);
    EXPECT_TRUE(from.empty());
    EXPECT_EQ(end_of_run(again), alone_to_the_end()) << checkpoint;
  }
}

TEST(NoveltyThreads, AnyNumberOfRanksGivesTheSameBits) {
  for (const int ranks : {2, 3, 8}) {
    ThreadFleet fleet(ranks);
    std::string end;
    fleet.run([&](Fleet& rank) {
      if (rank.rank() != 0) return ActingRank(rank, shared_settings(0), cartpoles(), learning_explorer()).serve();
      NeuralPolitex agent(shared_settings(0), cartpoles(), learning_explorer(), &rank);
      const Dismissal dismissal(&rank);
      end = end_of_run(agent);
    });
    EXPECT_EQ(fleet.problem(0), "");
    EXPECT_EQ(end, alone_to_the_end()) << ranks;
  }
}

}  // namespace
}  // namespace politex::neural
