#include "politex/guard/guarded_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/policy/always.hpp"

namespace politex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A counter: action 0 adds one, action 1 takes one off; costs show which action was executed.
class Counter {
 public:
  using State = int;
  int actions() const { return 2; }
  State start(Rng&) const { return 0; }
  Step step(State& state, Action action, Rng&) const {
    state += action == 0 ? 1 : -1;
    return {.cost = static_cast<double>(action)};
  }
  int observation_size() const { return 1; }
  void observe(const State& state, std::span<double> into) const { into[0] = state; }
};

std::unique_ptr<GuardedBlock> guarded(double limit, Value release = std::string("limit")) {
  auto inside = std::make_unique<BlockOf<Counter>>(Counter{}, 1);
  Space space;
  space.actions = 2;
  space.name = "counter";
  return std::make_unique<GuardedBlock>(
      std::move(inside), std::make_shared<AlwaysExplorer>(1, space),
      GuardOptions{.incumbent = "always:1", .limit = limit, .release = std::move(release)}, 1);
}

std::vector<double> executed(GuardedBlock& block, int steps) {
  std::vector<double> actions;
  for (int t = 0; t < steps; ++t) {
    const Action up = 0;
    StepResult result;
    block.step(0, {&up, 1}, {&result, 1});
    actions.push_back(result.cost);
  }
  return actions;
}

TEST(GuardedBlock, TakesTheIncumbentsActionUntilTheRelease) {
  const auto block = guarded(3.0, 1.0);
  EXPECT_THAT(executed(*block, 9), ElementsAre(0, 0, 0, 0, 1, 1, 1, 0, 0));  // 4, then down to 1
  EXPECT_EQ(block->guarded_steps(), 3);
  const auto plain = guarded(3.0);
  EXPECT_THAT(executed(*plain, 7), ElementsAre(0, 0, 0, 0, 1, 0, 1));
}

TEST(GuardedBlock, MasksEverythingButTheIncumbentsAction) {
  const auto block = guarded(0.0);
  std::vector<std::uint8_t> flags(2);
  block->possible(0, flags);
  EXPECT_THAT(flags, ElementsAre(1, 1));
  executed(*block, 1);
  block->possible(0, flags);
  EXPECT_THAT(flags, ElementsAre(0, 1));
}

TEST(GuardedBlock, IsSavedWithItsMemory) {
  const auto block = guarded(3.0, 1.0);
  executed(*block, 5);
  ByteWriter to;
  block->save(0, to);
  const auto expected = executed(*block, 20);
  const auto again = guarded(3.0, 1.0);
  ByteReader from(to.bytes());
  again->restore(0, from);
  EXPECT_EQ(executed(*again, 20), expected);
  EXPECT_EQ(again->guarded_steps(), block->guarded_steps());
}

TEST(GuardedBlock, AGuardThatIsAlwaysOnEndsTheRun) {
  const auto block = guarded(-1e9);
  try {
    executed(*block, 10'000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the guard is always on, in all of the first 10000 steps"));
  }
}

}  // namespace
}  // namespace politex
