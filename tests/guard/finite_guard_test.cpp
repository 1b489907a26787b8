#include "politex/guard/finite_guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A line of `n` levels: action 0 goes up (cost 0), action 1 down (cost 1); the ends reflect.
FiniteModel ladder(int n) {
  FiniteModel model;
  model.name = "ladder";
  model.states = n;
  model.actions = 2;
  model.first = {0};
  model.axes.emplace_back();
  for (int x = 0; x < n; ++x) {
    model.axes[0].push_back(x);
    for (const int next : {std::min(x + 1, n - 1), std::max(x - 1, 0)}) {
      model.next.push_back(next);
      model.probability.push_back(1.0);
      model.first.push_back(static_cast<std::int64_t>(model.next.size()));
      model.cost.push_back(next > x ? 0.0 : 1.0);
    }
  }
  return model;
}

PolicyTable always_of(const FiniteModel& model, int action) {
  PolicyTable table(model.states, model.actions);
  table.set_always(action);
  return table;
}

std::string refusal_of(const FiniteModel& model, const GuardOptions& options, const PolicyTable& incumbent) {
  try {
    const FiniteGuard guard(model, options, incumbent);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FiniteGuard, AboveTheLimitOnlyTheIncumbentsActionIsPossible) {
  const FiniteModel model = ladder(6);
  const FiniteGuard guard(model, {.incumbent = "always:1", .limit = 3}, always_of(model, 1));
  EXPECT_EQ(guard.model().states, 6);
  EXPECT_THAT(guard.guarded(), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(guard.model().possible, ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1));
  EXPECT_TRUE(guard.ever_on());
  // The best under the guard climbs from 3 to 4 (cost 0) and is sent back (cost 1): one half per step.
  EXPECT_NEAR(exact::optimal_gain(guard.model()), 0.5, 1e-12);
}

// With a release the guard stays on from 4 down to 1: up, up, up (0), then three steps down (1 each).
TEST(FiniteGuard, AReleaseGivesTheGuardAMemory) {
  const FiniteModel model = ladder(6);
  const FiniteGuard guard(model, {.incumbent = "always:1", .limit = 3, .release = 1.0}, always_of(model, 1));
  EXPECT_EQ(guard.model().states, 8);  // 2 and 3 once again
  EXPECT_THAT(guard.guarded(), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  PolicyTable up = always_of(model, 0);
  const auto gain = exact::evaluate(guard.model(), guard.extended(up).probabilities()).gain;
  EXPECT_NEAR(gain[0], 0.5, 1e-12);
  EXPECT_THAT(guard.extended(up).probabilities(4), ElementsAre(0.0, 1.0));  // for every policy
  EXPECT_THAT(guard.extended(up).probabilities(3), ElementsAre(1.0, 0.0));
}

TEST(FiniteGuard, BadGuardsAreRefused) {
  const FiniteModel model = ladder(6);
  const PolicyTable down = always_of(model, 1);
  EXPECT_THAT(refusal_of(model, {.incumbent = "always:1", .limit = -1}, down), HasSubstr("the guard is always on"));
  EXPECT_THAT(refusal_of(model, {.incumbent = "always:1", .limit = 3, .release = 4.0}, down),
              HasSubstr("guard.release: 4 is above guard.limit = 3"));
  EXPECT_THAT(refusal_of(model, {.incumbent = "always:1", .limit = 3, .coordinate = 1}, down),
              HasSubstr("guard.coordinate"));
  EXPECT_THAT(refusal_of(model, {.incumbent = "uniform", .limit = 3}, PolicyTable(6, 2)),
              HasSubstr("\"uniform\" is random in state 0"));
  FiniteModel jumps = model;
  jumps.teleport = 0.1;
  EXPECT_THAT(refusal_of(jumps, {.incumbent = "always:1", .limit = 3, .release = 1.0}, down),
              HasSubstr("the guard has no memory"));
  EXPECT_EQ(refusal_of(model, {.incumbent = "always:1", .limit = 3, .release = 1.0}, down), "accepted");
}

// Started above the limit with an incumbent that stays there.
TEST(FiniteGuard, AGuardThatIsNeverReleasedIsRefused) {
  FiniteModel model = ladder(6);
  model.start = 5;
  EXPECT_THAT(refusal_of(model, {.incumbent = "always:0", .limit = 3}, always_of(model, 0)),
              HasSubstr("the level of the start is 5"));
}

}  // namespace
}  // namespace politex
