// Acting ranks as threads of one process: the bits are those of one process, whatever the number of ranks and however
// slow some of them are.
#include "politex/neural/remote.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/thread_fleet.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/neural/neural_politex.hpp"
#include "politex/policy/energy_pump.hpp"

namespace politex::neural {
namespace {

/// Cartpoles of which one may be slow, or break.
class TestBlock final : public EnvironmentBlock {
 public:
  TestBlock(EnvironmentRange range, int slow, int breaks)
      : block_(Cartpole({.episode = 40}), 4, range), begin_(range.begin), slow_(slow), breaks_(breaks) {}
  const Space& space() const override { return block_.space(); }
  int count() const override { return block_.count(); }
  bool together() const override { return false; }
  void observe(int which, std::span<float> into) const override { block_.observe(which, into); }
  void observe(int which, std::span<double> into) const override { block_.observe(which, into); }
  void last(int which, std::span<float> into) const override { block_.last(which, into); }
  void last(int which, std::span<double> into) const override { block_.last(which, into); }
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override {
    block_.step(first, actions, into);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const int environment = begin_ + first + static_cast<int>(i);
      if (environment == slow_) std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (environment == breaks_ && --left_ == 0) into[i].cost = std::numeric_limits<double>::infinity();
    }
  }
  void save(int which, ByteWriter& to) const override { block_.save(which, to); }
  void restore(int which, ByteReader& from) override { block_.restore(which, from); }

 private:
  BlockOf<Cartpole> block_;
  int begin_, slow_, breaks_, left_ = 600;
};

struct Trial {
  bool resumed = false;  // continues from what one process saved
  int slow_environment = -1, broken_environment = -1;
  int threads = 0;
};

Settings settings() {
  Settings s;
  s.steps = 7'003;  // ends within a learner step and within a round
  s.seed = 4;
  s.hidden = {16};
  s.replay = 2'000;  // wraps around
  s.phase_scale = 10;
  s.learner.batch = 16;
  s.learner.target_copy = 20;
  s.policy.ring = 3;
  s.actors.environments = 5;  // chunks end within rounds
  s.actors.explore = 40;
  s.follow_scale = 0.5;
  return s;
}

BlockMaker blocks(const Trial& trial) {
  return {.space = space_of(Cartpole({.episode = 40})),
          .make = [trial](EnvironmentRange range) -> std::unique_ptr<EnvironmentBlock> {
            return std::make_unique<TestBlock>(range, trial.slow_environment, trial.broken_environment);
          }};
}

std::vector<std::byte> state_of(const NeuralPolitex& agent) {
  ByteWriter state;
  agent.save(state);
  return state.bytes();
}

std::unique_ptr<NeuralPolitex> alone() {
  return std::make_unique<NeuralPolitex>(settings(), blocks({}), std::make_shared<EnergyPump>());
}

/// The state of an agent: its signature covers every action, cost and network of the run. (Its saved state has
/// padding in it, so bytes cannot be compared.)
std::string end_of(const NeuralPolitex& agent) {
  ByteWriter more;
  for (const Episode& e : agent.episodes()) {
    more.put(e.step);
    more.put(e.reward);
  }
  for (const float weight : agent.learner().network().parameters()) more.put(weight);
  Signature all;
  all.add(std::span<const std::byte>(more.bytes()));
  return agent.signature() + " " + all.text();
}

/// The end of a run of one process, and its state on the way.
struct Reference {
  Reference() {
    const auto agent = alone();
    while (!agent->done()) {
      agent->advance();
      if (middle.empty() && agent->steps_done() >= 3'000) middle = state_of(*agent);
    }
    end = end_of(*agent);
  }
  std::vector<std::byte> middle;
  std::string end;
};

const Reference& reference() {
  static const Reference made;
  return made;
}

std::string run(ThreadFleet& fleet, const Trial& trial, std::vector<std::byte>& middle) {
  std::string end;
  fleet.run([&](Fleet& rank) {
    Settings s = settings();
    s.actors.threads = trial.threads;
    const auto explorer = std::make_shared<EnergyPump>();
    if (rank.rank() != 0) {
      ActingRank acting(rank, s, blocks(trial), explorer);
      acting.serve();
      return;
    }
    NeuralPolitex agent(s, blocks(trial), explorer, &rank);
    const Dismissal dismissal(&rank);
    if (trial.resumed) {
      ByteReader reader(reference().middle);
      agent.restore(reader);
    }
    while (!agent.done()) {
      agent.advance();
      if (middle.empty() && agent.steps_done() >= 2'000) middle = state_of(agent);
    }
    end = end_of(agent);
  });
  return end;
}

std::string run(ThreadFleet& fleet, const Trial& trial) {
  std::vector<std::byte> ignored;
  return run(fleet, trial, ignored);
}

TEST(RemoteActors, TheSameBitsForAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 5, 8}) {  // 8: two ranks have nothing to step
    ThreadFleet fleet(ranks);
    EXPECT_EQ(run(fleet, {}), reference().end) << ranks;
    EXPECT_EQ(fleet.problem(0), "");
  }
}

TEST(RemoteActors, ThreadsOnEveryRankChangeNothing) {
  ThreadFleet fleet(3);
  EXPECT_EQ(run(fleet, {.threads = 2}), reference().end);
}

TEST(RemoteActors, ResumesWithAnyNumberOfRanks) {
  for (const int ranks : {2, 4}) {
    ThreadFleet fleet(ranks);
    EXPECT_EQ(run(fleet, {.resumed = true}), reference().end) << ranks;
  }
}

TEST(RemoteActors, OneProcessResumesWhatAFleetSaved) {
  std::vector<std::byte> middle;
  ThreadFleet fleet(3);
  run(fleet, {}, middle);
  const auto agent = alone();
  ByteReader reader(middle);
  agent->restore(reader);
  while (!agent->done()) agent->advance();
  EXPECT_EQ(end_of(*agent), reference().end);
}

TEST(RemoteActors, ASlowRankChangesNothingAndTheFastOnesDoNotFloodTheLearner) {
  ThreadFleet fleet(3);
  EXPECT_EQ(run(fleet, {.slow_environment = 1}), reference().end);
  // Blocks on their way to rank 0: never more than the credits of all ranks.
  EXPECT_LE(fleet.most_waiting, 2u * 16u);
}

TEST(RemoteActors, TroubleOnARankEndsTheRunWithASentence) {
  ThreadFleet fleet(3);
  run(fleet, {.broken_environment = 4});
  EXPECT_EQ(fleet.problem(0), "rank 2: environment 4 gave a cost that is not finite");
  EXPECT_EQ(fleet.problem(1), "");
  EXPECT_EQ(fleet.problem(2), "");
}

TEST(RemoteActors, ShareEveryEnvironmentOnce) {
  ThreadFleet fleet(8);
  fleet.run([](Fleet& rank) {
    int next = 0;
    for (int r = 1; r < 8; ++r) {
      const EnvironmentRange share = share_of(rank, r, 5, 0);
      if (share.begin != next) throw Error("a gap");
      next = share.end;
    }
    if (next != 5) throw Error("not all");
    next = 0;
    for (int r = 1; r < 8; ++r) {
      const EnvironmentRange share = share_of(rank, r, 24, 8);
      if (share.begin != next || share.end % 8 != 0) throw Error("a block cut");
      next = share.end;
    }
    if (next != 24) throw Error("not all blocks");
  });
  for (int rank = 0; rank < 8; ++rank) EXPECT_EQ(fleet.problem(rank), "");
}

}  // namespace
}  // namespace politex::neural
