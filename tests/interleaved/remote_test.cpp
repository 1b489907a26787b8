// The learner's process and acting ranks over a model of MPI, in every order of their messages.
#include "politex/neural/remote.hpp"

#include <map>

#include "interleaved/model_fleet.hpp"
#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

using interleaved::expect_found;
using interleaved::expect_no_problem;
using interleaved::ModelFleet;
using interleaved::schedule;

constexpr int environments = 2;
constexpr std::ptrdiff_t credits = 2;  // of remote.cpp, as copied

/// Its observation is the number of its steps, which is saved.
class CountedBlock final : public EnvironmentBlock {
 public:
  CountedBlock(EnvironmentRange range, std::int64_t throw_at)
      : range_(range), throw_at_(throw_at), steps_(static_cast<std::size_t>(range.count()), 0) {
    space_.actions = 2;
    space_.ranges.resize(1);
  }
  const Space& space() const override { return space_; }
  int count() const override { return range_.count(); }
  bool together() const override { return false; }
  void observe(int which, std::span<double> into) const override {
    into[0] = static_cast<double>(steps_[static_cast<std::size_t>(which)]);
  }
  using EnvironmentBlock::observe;
  void last(int which, std::span<double> into) const override { observe(which, into); }
  using EnvironmentBlock::last;
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      std::int64_t& steps = steps_[static_cast<std::size_t>(first) + i];
      into[i] = {.cost = static_cast<double>(10 * steps + range_.begin + first) + static_cast<double>(i)};
      if (steps++ == throw_at_) throw Error("the environment broke");
    }
  }
  void save(int which, ByteWriter& to) const override { to.put(steps_[static_cast<std::size_t>(which)]); }
  void restore(int which, ByteReader& from) override { from.get(steps_[static_cast<std::size_t>(which)]); }

 private:
  EnvironmentRange range_;
  std::int64_t throw_at_;
  std::vector<std::int64_t> steps_;
  Space space_;
};

struct Trial {
  int ranks = 1;  // that act
  int phases = 1, chunks = 2, rounds = 2;
  bool synchronous = false;  // broadcasts
  int restores_after = -1;   // the learner's calls; then the run begins again
  int ends_after = -1;       // likewise; then the learner leaves in the middle
  std::int64_t throw_at = -1;
};

BlockMaker maker(std::int64_t throw_at) {
  const Space space = CountedBlock({0, 1}, -1).space();
  return {.space = space,
          .make = [throw_at](EnvironmentRange range) { return std::make_shared<CountedBlock>(range, throw_at); }};
}

/// What NeuralPolitex does with acting ranks, without learning.
class Learner {
 public:
  Learner(Fleet& fleet, const Trial& trial, std::map<std::int64_t, int>& actions)
      : trial_(trial),
        expected_(actions),
        remote_(fleet, environments, 0),
        actors_({.environments = environments}, maker(-1), nullptr, 1) {
    actors_.step_nothing();
    actors_.save(start_);
  }
  void run() {
    while (!play()) {
      remote_.forget();
      ByteReader start(start_.bytes());
      actors_.restore(start);
    }
  }

 private:
  struct Leave {};

  /// False: it is to be restored.
  bool play() {
    const std::int64_t chunk = trial_.rounds * environments, phase = trial_.chunks * chunk;
    for (std::int64_t first = 0, number = 1; number <= trial_.phases; ++number, first += phase) {
      remote_.begin_phase({.first = first, .last = first + phase, .chunk = chunk, .number = number}, {}, {}, actors_);
      if (turns_back()) return false;
      for (std::int64_t at = first; at < first + phase; at += chunk) {
        actors_.begin({.first = at, .last = at + chunk, .policy = &policy_});
        remote_.begin_chunk(at, actors_);
        for (std::int64_t count = at + environments; count <= at + chunk; count += environments) {
          remote_.wait_for(count, actors_);
          check(count - environments, count);
          if (turns_back()) return actors_.finish(), false;
        }
        actors_.finish();
      }
    }
    return true;
  }
  bool turns_back() {
    const int call = calls_++;
    if (call == trial_.ends_after) throw Error("the learner leaves");
    return call == trial_.restores_after;
  }
  void check(std::int64_t from, std::int64_t to) {
    for (std::int64_t number = from; number < to; ++number) {
      const Transition t = actors_.chunk().transition(number);
      const std::int64_t round = number / environments, e = number % environments;
      schedule().require(t.state[0] == static_cast<float>(round), "a transition of another round");
      schedule().require(t.cost == static_cast<float>(10 * round + e), "a transition of another environment");
      schedule().require(expected_.try_emplace(number, t.action).first->second == t.action, "another action");
    }
  }

  Trial trial_;
  std::map<std::int64_t, int>& expected_;
  RemoteActors remote_;
  Actors actors_;
  RingPolicy policy_{2, {}};
  ByteWriter start_;
  int calls_ = 0;
};

void play(const Trial& trial, std::map<std::int64_t, int>& actions) {
  schedule().private_atomics = true;  // without threads, only its own rank uses them
  ModelFleet fleet(1 + trial.ranks, trial.synchronous);
  fleet.most_waiting = trial.throw_at < 0 ? credits : credits + 1;  // and the report
  std::vector<interleaved::thread> ranks;
  for (int rank = 1; rank <= trial.ranks; ++rank)
    ranks.emplace_back([&fleet, &trial, rank] {
      ModelFleet::Rank mine(fleet, rank);
      Settings settings;
      settings.actors.environments = environments;
      ActingRank(mine, settings, maker(rank == 1 ? trial.throw_at : -1), nullptr).serve();
    });
  ModelFleet::Rank mine(fleet, 0);
  std::string thrown;
  try {
    Learner learner(mine, trial, actions);
    const Dismissal dismissal(&mine);
    learner.run();
  } catch (const Error& error) {
    thrown = error.what();
  }
  for (interleaved::thread& rank : ranks) rank.join();
  schedule().require(thrown == (trial.throw_at >= 0     ? "rank 1: the environment broke"
                                : trial.ends_after >= 0 ? "the learner leaves"
                                                        : ""),
                     "the learner threw \"" + thrown + "\"");
}

std::function<void()> driver(const Trial& trial) {
  return [trial, actions = std::make_shared<std::map<std::int64_t, int>>()] { play(trial, *actions); };
}

TEST(InterleavedRemote, TheSameTransitionsInEveryOrder) {
  for (const bool synchronous : {false, true}) {
    expect_no_problem("remote, one rank, two phases", driver({.phases = 2, .synchronous = synchronous}));
    expect_no_problem("remote, two ranks", driver({.ranks = 2, .rounds = 1, .synchronous = synchronous}));
  }
}

TEST(InterleavedRemote, RestoredAfterAnyCall) {
  for (const bool synchronous : {false, true})
    for (int call = 0; call < 4; ++call)
      expect_no_problem("remote, restored after call " + std::to_string(call),
                        driver({.chunks = 3, .rounds = 1, .synchronous = synchronous, .restores_after = call}));
}

TEST(InterleavedRemote, TheLearnerLeavesAfterAnyCall) {
  for (int call = 0; call < 3; ++call)
    expect_no_problem("remote, left after call " + std::to_string(call),
                      driver({.ranks = 2, .chunks = 2, .rounds = 1, .synchronous = true, .ends_after = call}));
}

TEST(InterleavedRemote, AnExceptionOfAnyStepReachesTheLearner) {
  for (std::int64_t step = 0; step < 3; ++step)
    expect_no_problem("remote, exception in step " + std::to_string(step),
                      driver({.ranks = 2, .chunks = 3, .rounds = 1, .throw_at = step}));
}

TEST(InterleavedRemote, MistakesAreFound) {
  const auto whole = driver({.phases = 2});
  const auto restored = driver({.chunks = 3, .rounds = 1, .synchronous = true, .restores_after = 0});
  expect_found("blocks_without_credits", whole);
  expect_found("restored_run_stops_nobody", restored);
  expect_found("blocks_of_an_earlier_phase_are_taken", restored);
  expect_found("credits_of_an_earlier_phase_count", whole);
}

}  // namespace
}  // namespace politex::neural
