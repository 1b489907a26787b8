#include <gtest/gtest.h>

#include "politex/evaluate/simulation.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

// As few runs together as leave no thread without work.
TEST(SimulationThreads, EveryThreadHasRunsToWalk) {
  EXPECT_EQ(runs_at_once(8, 1), 4);
  EXPECT_EQ(runs_at_once(8, 2), 4);
  EXPECT_EQ(runs_at_once(8, 3), 3);
  EXPECT_EQ(runs_at_once(8, 4), 2);
  EXPECT_EQ(runs_at_once(8, 8), 1);
  EXPECT_EQ(runs_at_once(8, 1000), 1);
  EXPECT_EQ(runs_at_once(1, 8), 1);
}

TEST(SimulationThreads, ThreadsChangeNoBit) {
  const FiniteModel model = make_model(default_config("river_swim"));
  const PolicyTable uniform(model.states, model.actions);
  const auto record = [&](int jobs) {
    return simulate(model, uniform, 0, {.seed = 3, .runs = 9, .batch_steps = 64, .batches = 40, .jobs = jobs});
  };
  const Recorded one = record(1);
  for (const int jobs : {2, 3, 4, 5, 9, 20}) {
    const Recorded other = record(jobs);
    for (std::size_t r = 0; r < 9; ++r) {
      for (std::size_t i = 0; i < 40; ++i) ASSERT_EQ(one.batches[r][i].cost, other.batches[r][i].cost) << jobs;
      ASSERT_EQ(one.cycles[r].size(), other.cycles[r].size()) << jobs;
      for (std::size_t i = 0; i < one.cycles[r].size(); ++i) {
        ASSERT_EQ(one.cycles[r][i].cost, other.cycles[r][i].cost) << jobs;
        ASSERT_EQ(one.cycles[r][i].steps, other.cycles[r][i].steps) << jobs;
      }
    }
  }
}

}  // namespace
}  // namespace politex
