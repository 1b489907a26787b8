// Two groups of environments, the learner and one or two acting threads, in every order of their steps.
#include "politex/neural/actors.hpp"

#include <algorithm>
#include <array>

#include "interleaved/explore.hpp"
#include "politex/base/error.hpp"

namespace politex::neural {
namespace {

using interleaved::expect_found;
using interleaved::expect_no_problem;
using interleaved::mixed;
using interleaved::schedule;

constexpr int environments = 2;

/// What the blocks of one run share.
struct Record {
  std::array<std::int64_t, environments> steps{};
  std::array<int, environments> inside{};
  std::int64_t all_steps = 0;
  std::int64_t throw_at = -1;  // the number of a step, of all environments

  std::uint64_t state() const {
    std::uint64_t all = 0;
    for (std::size_t e = 0; e < environments; ++e)
      all = mixed(mixed(all, static_cast<std::uint64_t>(steps[e])), static_cast<std::uint64_t>(inside[e]));
    return all;
  }
};

/// The observation of an environment is the number of its steps.
class CountedBlock final : public EnvironmentBlock {
 public:
  CountedBlock(EnvironmentRange range, Record& record) : range_(range), record_(record) {
    space_.actions = 2;
    space_.ranges.resize(1);
  }
  const Space& space() const override { return space_; }
  int count() const override { return range_.count(); }
  bool together() const override { return false; }
  void observe(int which, std::span<double> into) const override {
    into[0] = static_cast<double>(record_.steps[static_cast<std::size_t>(range_.begin + which)]);
  }
  using EnvironmentBlock::observe;
  void last(int which, std::span<double> into) const override { observe(which, into); }
  using EnvironmentBlock::last;
  void step(int first, std::span<const Action> actions, std::span<StepResult> into) override {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const auto e = static_cast<std::size_t>(range_.begin + first) + i;
      schedule().require(record_.inside[e]++ == 0, "two threads step one environment at once");
      schedule().before("step", static_cast<std::int64_t>(e));
      into[i] = {.cost = static_cast<double>(10 * record_.steps[e]) + static_cast<double>(e)};
      ++record_.steps[e];
      --record_.inside[e];
      if (record_.all_steps++ == record_.throw_at) throw Error("the environment broke");
    }
  }
  void save(int, ByteWriter&) const override {}
  void restore(int, ByteReader&) override {}

 private:
  EnvironmentRange range_;
  Record& record_;
  Space space_;
};

struct Trial {
  int chunks = 1, rounds = 2;  // of each chunk
  int threads = 1;
  std::int64_t throw_at = -1;
  bool waits = true;     // the learner asks for every round; false: it finishes without waiting
  bool finishes = true;  // false: the actors end in the middle of a chunk
};

void play(const Trial& trial) {
  Record record;
  record.throw_at = trial.throw_at;
  schedule().state = [&] { return record.state(); };
  const Space space = CountedBlock({0, 1}, record).space();
  const BlockMaker maker{.space = space,
                         .make = [&](EnvironmentRange range) { return std::make_shared<CountedBlock>(range, record); }};
  const RingPolicy policy(2, {});
  bool thrown = false;
  {
    Actors actors({.environments = environments, .threads = trial.threads}, maker, nullptr, 1);
    std::int64_t first = 0;
    try {
      for (int chunk = 0; chunk < trial.chunks; ++chunk) {
        const std::int64_t last = first + trial.rounds * environments;
        actors.begin({.first = first, .last = last, .policy = &policy});
        for (std::int64_t count = first + environments; trial.waits && count <= last; count += environments) {
          actors.wait_for(count);
          for (std::int64_t number = count - environments; number < count; ++number) {
            const Transition t = actors.chunk().transition(number);
            const std::int64_t round = number / environments, e = number % environments;
            schedule().require(t.state[0] == static_cast<float>(round), "a transition of another round");
            schedule().require(t.cost == static_cast<float>(10 * round + e), "a transition of another environment");
          }
        }
        if (!trial.finishes) break;
        actors.finish();
        const std::array<std::int64_t, environments> at_rest = record.steps;
        for (std::size_t e = 0; trial.waits && e < environments; ++e)
          schedule().require(at_rest[e] == last / environments, "a round was not stepped, or was stepped twice");
        for (const int inside : record.inside) schedule().require(inside == 0, "a thread acts after finish()");
        first = last;
        if (!trial.waits) break;  // what is missing cannot be asked for any more
      }
    } catch (const Error& error) {
      schedule().require(std::string(error.what()) == "the environment broke", "another exception");
      thrown = true;
      actors.finish();
    }
  }
  schedule().require(thrown == (trial.throw_at >= 0 && trial.waits), "an exception is lost");
  schedule().state = nullptr;
}

TEST(InterleavedActors, EveryRoundIsSteppedOnceAndInOrder) {
  expect_no_problem("actors, one chunk", [] { play({.chunks = 1, .rounds = 2}); });
  expect_no_problem("actors, two chunks", [] { play({.chunks = 2, .rounds = 1}); });
  expect_no_problem("actors, two threads", [] { play({.rounds = 1, .threads = 2}); });
}

TEST(InterleavedActors, TheyEndInTheMiddleOfAChunk) {
  expect_no_problem("actors, end", [] { play({.finishes = false}); });
  expect_no_problem("actors, end without waiting", [] { play({.waits = false, .finishes = false}); });
  expect_no_problem("actors, finish without waiting", [] { play({.waits = false}); });
  expect_no_problem("actors, end, two threads",
                    [] { play({.rounds = 1, .threads = 2, .waits = false, .finishes = false}); });
}

TEST(InterleavedActors, AnExceptionOfAnyStepReachesTheLearner) {
  for (std::int64_t k = 0; k < 2 * environments; ++k)
    expect_no_problem("actors, exception in step " + std::to_string(k), [k] { play({.threads = 1, .throw_at = k}); });
}

TEST(InterleavedActors, MistakesAreFound) {
  const auto whole = [] { play({.threads = 1}); };
  const auto broken = [] { play({.threads = 1, .throw_at = 2}); };
  expect_found("group_is_taken_by_a_store", whole);
  expect_found("round_from_before_the_group_was_taken", whole);
  expect_found("waits_for_a_failed_thread", broken);
  expect_found("failure_is_not_shown", broken);
  expect_found("nobody_is_woken", whole);
  expect_found("nobody_is_woken_at_the_end", whole);
  expect_found("threads_begin_before_they_are_counted", [] { play({.throw_at = 0}); });
  expect_found("finish_does_not_wait", [] { play({.waits = false}); });
}

}  // namespace
}  // namespace politex::neural
