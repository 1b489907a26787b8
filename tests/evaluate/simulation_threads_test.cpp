#include <gtest/gtest.h>

#include "politex/evaluate/simulation.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

TEST(SimulationThreads, ThreadsChangeNoBit) {
  const FiniteModel model = make_model(default_config("river_swim"));
  const PolicyTable uniform(model.states, model.actions);
  const auto record = [&](int jobs) {
    return simulate(model, uniform, 0, {.seed = 3, .runs = 9, .batch_steps = 64, .batches = 40, .jobs = jobs});
  };
  const Recorded one = record(1), four = record(4);
  for (std::size_t r = 0; r < 9; ++r)
    for (std::size_t i = 0; i < 40; ++i) ASSERT_EQ(one.batches[r][i].cost, four.batches[r][i].cost);
  for (std::size_t r = 0; r < 9; ++r) ASSERT_EQ(one.cycles[r].size(), four.cycles[r].size());
}

}  // namespace
}  // namespace politex
