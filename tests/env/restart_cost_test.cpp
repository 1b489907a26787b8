#include "politex/env/restart_cost.hpp"

#include <gtest/gtest.h>

#include "politex/base/error.hpp"

namespace politex {
namespace {

/// The cost of a terminating step after `steps` others that cost `each`.
double end_after(RestartCost& restart, int steps, double each) {
  for (int t = 0; t < steps; ++t) EXPECT_EQ(restart.with_end(each, false), each);
  return restart.with_end(each, true);
}

TEST(RestartCost, AGivenNumberIsAddedToEveryEnd) {
  RestartCost restart(-100.0);
  EXPECT_EQ(restart.with_end(1.0, true), -99.0);
  EXPECT_EQ(end_after(restart, 200, 1.0), -99.0);
  EXPECT_EQ(restart.with_end(1.0, false), 1.0);
  EXPECT_FALSE(restart.found());
  EXPECT_FALSE(restart.open());
}

TEST(RestartCost, WhereAllStepsCostTheSameAnEndCancelsOne) {
  RestartCost goal, fall;
  EXPECT_EQ(end_after(goal, 99, 1.0), 0.0);   // mountain car: the step to the goal costs nothing
  EXPECT_EQ(end_after(fall, 99, -1.0), 0.0);  // a balanced pole: the fall pays nothing
  EXPECT_TRUE(goal.found());
  EXPECT_EQ(goal.value(), -1.0);
  EXPECT_EQ(fall.value(), 1.0);
  EXPECT_EQ(goal.with_end(1.0, true), 0.0);
  EXPECT_EQ(goal.with_end(5.0, true), 4.0) << "it is decided once";
}

TEST(RestartCost, EndsInTheFirstHundredStepsDecideNothing) {
  RestartCost restart;
  EXPECT_EQ(end_after(restart, 98, 1.0), 1.0);
  EXPECT_TRUE(restart.open());
  EXPECT_EQ(restart.with_end(1.0, true), 0.0);
}

TEST(RestartCost, WhereCostsDifferOrAreZeroAnEndCostsNothingMore) {
  RestartCost differ, zero;
  differ.with_end(1.0, false);
  differ.with_end(2.0, false);
  EXPECT_EQ(end_after(differ, 200, 1.0), 1.0);
  EXPECT_EQ(end_after(zero, 200, 0.0), 0.0);
  RestartCost last;  // only the end itself costs something else, as in our mountain car
  for (int t = 0; t < 200; ++t) last.with_end(1.0, false);
  EXPECT_EQ(last.with_end(0.0, true), 0.0);
  for (const RestartCost& each : {differ, zero, last}) {
    EXPECT_FALSE(each.open());
    EXPECT_FALSE(each.found());
  }
}

TEST(RestartCost, ASavedOneGoesOnTheSame) {
  RestartCost whole, first, second;
  for (int t = 0; t < 60; ++t) {
    whole.with_end(2.0, t % 7 == 6);
    first.with_end(2.0, t % 7 == 6);
  }
  ByteWriter to;
  first.save(to);
  ByteReader from(to.bytes());
  second.restore(from);
  for (int t = 0; t < 200; ++t) EXPECT_EQ(second.with_end(2.0, t % 5 == 4), whole.with_end(2.0, t % 5 == 4)) << t;
}

}  // namespace
}  // namespace politex
