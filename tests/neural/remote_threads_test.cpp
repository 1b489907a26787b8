// Acting ranks as threads of one process: the bits are those of one process, whatever the number of ranks and however
// slow some of them are.
#include "politex/neural/remote.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/thread_fleet.hpp"
#include "politex/env/cartpole.hpp"
#include "politex/neural/agent.hpp"

namespace politex::neural {
namespace {

/// Cartpole that may be slow, or break.
class TestWorld final : public World {
 public:
  TestWorld(std::uint64_t seed, int index, int pause, int breaks_at)
      : world_(Cartpole({.episode = 40}), 40, Rng(seed, Use::environment, static_cast<std::uint64_t>(index))),
        pause_(pause),
        breaks_at_(breaks_at) {}
  int actions() const override { return world_.actions(); }
  int observation_size() const override { return world_.observation_size(); }
  std::int64_t episode() const override { return world_.episode(); }
  void observe(std::span<float> into) const override { world_.observe(into); }
  Moved step(Action action) override {
    if (pause_ > 0) std::this_thread::sleep_for(std::chrono::microseconds(pause_));
    Moved moved = world_.step(action);
    if (--breaks_at_ == 0) moved.cost = std::numeric_limits<double>::infinity();
    return moved;
  }
  void restart() override { world_.restart(); }
  void save(ByteWriter& to) const override { world_.save(to); }
  void restore(ByteReader& from) override { world_.restore(from); }

 private:
  WorldOf<Cartpole> world_;
  int pause_, breaks_at_;
};

struct Trial {
  bool resumed = false;  // goes on from what one process saved
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

WorldMaker worlds(const Trial& trial) {
  return [trial](int index) -> std::unique_ptr<World> {
    return std::make_unique<TestWorld>(4, index, index == trial.slow_environment ? 100 : 0,
                                       index == trial.broken_environment ? 600 : 0);
  };
}

std::vector<std::byte> state_of(const Agent& agent) {
  ByteWriter state;
  agent.save(state);
  return state.bytes();
}

std::unique_ptr<Agent> alone() {
  return std::make_unique<Agent>(settings(), worlds({}), std::make_shared<EnergyPump>());
}

/// What an agent has come to: its signature covers every action, cost and network of the run. (Its saved state has
/// padding in it, so bytes cannot be compared.)
std::string end_of(const Agent& agent) {
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
      ActingRank acting(rank, s, worlds(trial), explorer);
      acting.serve();
      return;
    }
    Agent agent(s, worlds(trial), explorer, &rank);
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

TEST(RemoteActors, OneProcessGoesOnFromWhatAFleetSaved) {
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
      const EnvironmentRange share = share_of(rank, r, 5);
      if (share.begin != next) throw Error("a gap");
      next = share.end;
    }
    if (next != 5) throw Error("not all");
  });
  for (int rank = 0; rank < 8; ++rank) EXPECT_EQ(fleet.problem(rank), "");
}

}  // namespace
}  // namespace politex::neural
