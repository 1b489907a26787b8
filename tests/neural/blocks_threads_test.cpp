// External environments: the learner sees them like its own, whatever thread or rank steps them and however they are
// divided.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "base/thread_fleet.hpp"
#include "politex/base/error.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/neural/neural_politex.hpp"
#include "politex/neural/remote.hpp"
#include "politex/policy/energy_pump.hpp"
#include "politex/policy/uniform.hpp"

namespace politex::neural {
namespace {

/// Cartpoles as an external block, with the streams that the program's own would have.
class ExternalCartpoles final : public EnvironmentBlock {
 public:
  ExternalCartpoles(EnvironmentRange range, bool savable) : block_(Cartpole({.episode = 40}), 4, range), range_(range) {
    savable_ = savable;
    space_.name = "cartpoles";
    space_.actions = 3;
    space_.ranges.resize(5);
    space_.time_limit = 40;
  }
  const Space& space() const override { return space_; }
  int count() const override { return range_.end - range_.begin; }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    if (inside_.exchange(true)) throw Error("two threads at once");
    block_.step(0, actions, into);
    inside_ = false;
  }
  void observe(int which, std::span<float> into) const override { block_.observe(which, into); }
  void last(int which, std::span<float> into) const override { block_.last(which, into); }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  bool can_save() const override { return savable_; }
  void save(int which, ByteWriter& to) const override {
    if (which != 0) return;
    for (int e = 0; e < count(); ++e) block_.save(e, to);
  }
  void restore(int which, ByteReader& from) override {
    if (which != 0) return;
    for (int e = 0; e < count(); ++e) block_.restore(e, from);
  }

 private:
  BlockOf<Cartpole> block_;
  EnvironmentRange range_;
  bool savable_;
  std::atomic<bool> inside_ = false;
  Space space_;
};

BlockMaker external(int together, bool savable = true) {
  const ExternalCartpoles one({0, 1}, savable);
  return external_blocks(one.space(), together, [savable](EnvironmentRange range) {
    return std::make_shared<ExternalCartpoles>(range, savable);
  });
}

Settings small_settings() {
  Settings s;
  s.steps = 6'002;  // ends within a round
  s.seed = 4;
  s.hidden = {16};
  s.replay = 2'000;
  s.phase_scale = 10;
  s.learner.batch = 16;
  s.learner.target_copy = 20;
  s.policy.ring = 3;
  s.actors.environments = 8;
  s.actors.explore = 40;
  s.follow_scale = 0.5;
  return s;
}

std::string end(NeuralPolitex& agent) {
  while (!agent.done()) agent.advance();
  return agent.signature();
}

TEST(ExternalBlocks, GiveTheBitsOfTheProgramsOwnHoweverTheyAreDivided) {
  Settings s = small_settings();
  const auto pump = std::make_shared<EnergyPump>();
  NeuralPolitex own(s, blocks_of(Cartpole({.episode = 40}), 4), pump);
  const std::string expected = end(own);
  for (const int together : {1, 4, 8})
    for (const int threads : {0, 3}) {
      s.actors.threads = threads;
      NeuralPolitex agent(s, external(together), pump);
      EXPECT_EQ(end(agent), expected) << together << " " << threads;
    }
}

TEST(ExternalBlocks, StopAndResume) {
  const Settings s = small_settings();
  for (const bool savable : {true, false}) {
    NeuralPolitex whole(s, external(4, savable), nullptr), first(s, external(4, savable), nullptr),
        second(s, external(4, savable), nullptr);
    EXPECT_EQ(whole.saves_environments(), savable);
    first.advance();
    ASSERT_FALSE(first.done());
    ByteWriter bytes;
    first.save(bytes);
    ByteReader reader(bytes.bytes());
    second.restore(reader);
    EXPECT_TRUE(reader.empty());
    EXPECT_EQ(second.steps_done(), first.steps_done());
    EXPECT_EQ(end(second) == end(whole), savable);  // else from new starts: other bits, and a whole run all the same
    EXPECT_EQ(second.steps_done(), s.steps);
  }
}

TEST(ExternalBlocks, RefuseDivisionsThatAPhaseWouldCut) {
  Settings s = small_settings();
  s.transitions_per_step = 12;
  EXPECT_THROW(NeuralPolitex(s, external(8), nullptr), ConfigError);
  EXPECT_NO_THROW(NeuralPolitex(s, external(4), nullptr));
  s.actors.environments = 6;
  EXPECT_THROW(NeuralPolitex(s, external(4), nullptr), ConfigError);
  EXPECT_NO_THROW(NeuralPolitex(s, external(8), nullptr));  // one block of six, twice a learner step
}

/// Other ranks step the blocks, and the learner's process keeps their states.
BlockMaker shared_blocks(int together, bool savable) {
  BlockMaker maker = external(together, savable);
  maker.keep = [make = maker.make](EnvironmentRange range) {
    return kept_block(*make(range), [count = range.end - range.begin](ByteReader& from, ByteWriter& to) {
      for (int e = 0; e < count; ++e) {
        to.put(from.get<Cartpole::State>());
        to.put(from.get<std::uint64_t>());
      }
    });
  };
  return maker;
}

TEST(ExternalBlocks, RanksGiveTheSameBits) {
  for (const bool savable : {true, false}) {
    NeuralPolitex whole(small_settings(), external(2, savable), nullptr),
        first(small_settings(), external(2, savable), nullptr);
    while (!whole.done()) whole.advance();
    first.advance();
    ByteWriter middle;
    first.save(middle);
    for (const int ranks : {2, 4}) {
      for (const bool resumed : {false, true}) {
        std::string end;
        ThreadFleet fleet(ranks);
        fleet.run([&](Fleet& rank) {
          if (rank.rank() != 0) {
            ActingRank(rank, small_settings(), shared_blocks(2, savable), nullptr).serve();
            return;
          }
          NeuralPolitex agent(small_settings(), shared_blocks(2, savable), nullptr, &rank);
          const Dismissal dismissal(&rank);
          ByteReader reader(middle.bytes());
          if (resumed) agent.restore(reader);
          while (!agent.done()) agent.advance();
          // A single process can resume from its checkpoint.
          ByteWriter saved;
          agent.save(saved);
          NeuralPolitex alone(small_settings(), external(2, savable), nullptr);
          ByteReader again(saved.bytes());
          alone.restore(again);
          if (!again.empty()) throw Error("the checkpoint is longer than one of a process alone");
          end = agent.signature();
        });
        for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(fleet.problem(rank), "");
        EXPECT_EQ(end == whole.signature(), savable || !resumed) << ranks << resumed;
      }
    }
  }
}

TEST(ExternalBlocks, RefuseRanks) {
  ThreadFleet fleet(2);
  fleet.run([](Fleet& rank) {
    if (rank.rank() == 0)
      NeuralPolitex(small_settings(), external(8, false), nullptr, &rank);
    else
      ActingRank(rank, small_settings(), external(8, false), nullptr);
  });
  for (const int rank : {0, 1}) EXPECT_NE(fleet.problem(rank).find("one MPI rank, not 2"), std::string::npos);
}

/// A walk 0, 1, ..., 4 and, in a round of its own, back: the observation is the place, the cost too.
class Walk final : public EnvironmentBlock {
 public:
  explicit Walk(int count) : places_(static_cast<std::size_t>(count)) {
    space_.actions = 2;
    space_.states = 5;
    space_.ranges = {{0, 4}};
  }
  const Space& space() const override { return space_; }
  int count() const override { return static_cast<int>(places_.size()); }
  void step(int, std::span<const Action>, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] == 4) {
        into[i] = {.cost = 0.0, .skipped = true};
        places_[i] = 0;
      } else {
        into[i] = {.cost = 1.0, .score = -1.0, .terminated = ++places_[i] == 4};
      }
    }
  }
  void observe(int which, std::span<float> into) const override {
    into[0] = static_cast<float>(places_[static_cast<std::size_t>(which)]);
  }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  void last(int, std::span<float>) const override {}
  bool can_save() const override { return false; }
  void save(int, ByteWriter&) const override {}
  void restore(int, ByteReader&) override {}

 private:
  Space space_;
  std::vector<int> places_;
};

TEST(ExternalBlocks, ARoundThatOnlyRestartsIsNumberedButNotCounted) {
  Settings s = small_settings();
  s.steps = 4'000;
  s.actors.whole_episodes = true;
  s.actors.explore = 6;  // in whole episodes of 4 steps: 8
  NeuralPolitex agent(s, external_blocks(std::make_shared<Walk>(8)), std::make_shared<UniformExplorer>(2));
  end(agent);
  EXPECT_EQ(agent.steps_done(), 4000);
  EXPECT_EQ(agent.costs().policy_steps + agent.costs().explorer_steps, 3200);  // every fifth round is skipped
  EXPECT_EQ(agent.costs().mean(), 1.0);
  ASSERT_EQ(agent.episodes().size(), 800U);
  bool explored = false;
  for (const Episode& e : agent.episodes()) {
    EXPECT_EQ(e.reward, -4.0);
    EXPECT_NE(e.by, Episode::Player::both);
    explored = explored || e.by == Episode::Player::explorer;
  }
  EXPECT_TRUE(explored);
}

}  // namespace
}  // namespace politex::neural
