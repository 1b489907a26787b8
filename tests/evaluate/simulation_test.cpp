#include "politex/evaluate/simulation.hpp"

#include <gtest/gtest.h>

#include "politex/base/thresholds.hpp"
#include "politex/env/entry.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/evaluate/comparison.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/policy/table_explorer.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

FiniteModel river(double teleport) {
  Config config = default_config("river_swim");
  config.set("environment.teleport", teleport);
  return make_model(config);
}

double exact_gain(const FiniteModel& model, const PolicyTable& policy) {
  return exact::evaluate(model, policy.probabilities()).gain[static_cast<std::size_t>(model.start)];
}

SimulationSizes sizes(int runs, std::int64_t batches, int jobs = 1) {
  return {.seed = 7, .runs = runs, .batch_steps = 512, .batches = batches, .jobs = jobs};
}

// Two intervals at 99.99%: a false alarm rate of 2e-4 over the fixed seed.
TEST(Simulation, AgreesWithExactGains) {
  for (const double teleport : {0.0, 0.05}) {
    const FiniteModel model = river(teleport);
    const PolicyTable uniform(model.states, model.actions);
    const Recorded found = simulate(model, uniform, frequent_state(model, uniform, 7), sizes(8, 400));
    const double gain = exact_gain(model, uniform);
    for (const LongRun& one : {batch_means(found.batches, 0.9999), regenerative(found.cycles, found.batches, 0.9999)}) {
      ASSERT_FALSE(one.refused()) << one.refusal;
      EXPECT_LE(one.interval.low, gain);
      EXPECT_GE(one.interval.high, gain);
      EXPECT_LT(one.interval.half_width(), 0.01);
    }
  }
}

TEST(Simulation, CyclesAndBatchesAreTheSameSteps) {
  const FiniteModel model = river(0.0);
  const PolicyTable uniform(model.states, model.actions);
  const Recorded found = simulate(model, uniform, 0, sizes(1, 50));
  double cost = 0.0, cycle_cost = 0.0;
  std::int64_t cycle_steps = 0;
  for (const Batch& each : found.batches[0]) cost += each.cost;
  for (const Batch& each : found.cycles[0]) {
    EXPECT_GE(each.steps, 512);
    cycle_cost += each.cost;
    cycle_steps += each.steps;
  }
  // The start is state 0, so only the last open cycle is missing.
  EXPECT_LE(cycle_steps, 50 * 512);
  EXPECT_GT(cycle_steps, 45 * 512);
  EXPECT_NEAR(cycle_cost / static_cast<double>(cycle_steps), cost / (50.0 * 512.0), 0.02);
}

/// The simulation as it is defined, a step at a time.
Recorded step_by_step(const FiniteModel& model, const PolicyTable& policy, int home, const SimulationSizes& sizes) {
  Recorded out;
  for (int run = 0; run < sizes.runs; ++run) {
    Rng actions = evaluation_actions(sizes.seed, static_cast<std::uint64_t>(run)),
        moves = evaluation_moves(sizes.seed, static_cast<std::uint64_t>(run));
    Batches batches, cycles;
    Batch cycle;
    bool begun = false;
    int state = model.start;
    for (std::int64_t b = 0; b < sizes.batches; ++b) {
      Batch batch;
      for (; batch.steps < sizes.batch_steps; ++batch.steps) {
        if (state == home && (!begun || cycle.steps >= sizes.batch_steps)) {
          if (begun) cycles.push_back(cycle);
          begun = true;
          cycle = {};
        }
        const auto pair = static_cast<std::size_t>(state * model.actions + policy.sample(state, actions));
        batch.cost += model.cost[pair];
        cycle.cost += model.cost[pair];
        ++cycle.steps;
        const std::uint64_t draw = moves.bits53();
        auto k = static_cast<std::size_t>(model.first[pair]);
        for (double sum = model.probability[k]; draw >= threshold53(sum); sum += model.probability[k]) ++k;
        state = model.next[k];
      }
      batches.push_back(batch);
    }
    out.batches.push_back(batches);
    out.cycles.push_back(cycles);
  }
  return out;
}

// Also where no draw changes an action, and where cycles end seldom: shortcuts that change nothing.
TEST(Simulation, IsTheSimulationStepByStep) {
  const FiniteModel model = river(0.0);
  PolicyTable right(model.states, model.actions);
  right.set_always(1);
  for (const PolicyTable& policy : {PolicyTable(model.states, model.actions), right})
    for (const int home : {0, 3, 5}) {
      const Recorded found = simulate(model, policy, home,
                                      {.seed = 7, .runs = 5, .batch_steps = 64, .batches = 60, .jobs = 1}),
                     expected =
                         step_by_step(model, policy, home, {.seed = 7, .runs = 5, .batch_steps = 64, .batches = 60});
      for (std::size_t run = 0; run < 5; ++run) {
        ASSERT_EQ(found.cycles[run].size(), expected.cycles[run].size());
        for (std::size_t i = 0; i < 60; ++i)
          EXPECT_NEAR(found.batches[run][i].cost, expected.batches[run][i].cost, 1e-9);
        for (std::size_t i = 0; i < found.cycles[run].size(); ++i) {
          EXPECT_EQ(found.cycles[run][i].steps, expected.cycles[run][i].steps);
          EXPECT_NEAR(found.cycles[run][i].cost, expected.cycles[run][i].cost, 1e-9);
        }
      }
    }
}

TEST(Simulation, LanesAreIndependentOfEachOther) {
  const FiniteModel model = river(0.0);
  const PolicyTable uniform(model.states, model.actions);
  const Recorded one = simulate(model, uniform, -1, sizes(1, 20)), five = simulate(model, uniform, -1, sizes(5, 20));
  EXPECT_TRUE(one.cycles.empty());
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(one.batches[0][i].cost, five.batches[0][i].cost);
  EXPECT_NE(five.batches[1][5].cost, five.batches[2][5].cost);
}

TEST(Simulation, TheSamePolicyMeetsTheSameDraws) {
  const FiniteModel model = river(0.0);
  const PolicyTable uniform(model.states, model.actions);
  const Comparison same = compare(model, uniform, &uniform, {.steps = 500'000, .simulate = true, .jobs = 1});
  ASSERT_TRUE(same.difference);
  EXPECT_EQ(same.difference->interval.mean, 0.0);
  EXPECT_EQ(same.difference->verdict, Verdict::not_yet);
}

TEST(Simulation, PairedDifferencesFindTheBetterPolicy) {
  const FiniteModel model = river(0.0);
  PolicyTable right(model.states, model.actions), uniform(model.states, model.actions);
  right.set_always(1);
  const EvaluationOptions options{.steps = 2'000'000, .simulate = true, .jobs = 1};
  const Comparison found = compare(model, right, &uniform, options);
  const double truth = exact_gain(model, right) - exact_gain(model, uniform);
  ASSERT_TRUE(found.difference);
  EXPECT_LE(found.difference->interval.low, truth);
  EXPECT_GE(found.difference->interval.high, truth);
  EXPECT_EQ(found.difference->verdict, truth < 0 ? Verdict::better : Verdict::worse);
  const Comparison precise = compare(model, right, &uniform, {});
  EXPECT_EQ(precise.policy.method, "exact");
  EXPECT_NEAR(precise.difference->interval.mean, truth, 1e-12);
  EXPECT_EQ(precise.difference->verdict, found.difference->verdict);
}

TEST(Simulation, BlocksGiveTheAverageOfTheSameEnvironment) {
  const FiniteModel model = river(0.0);
  const TableEnvironment tables(model);
  const TableExplorer uniform{PolicyTable(model.states, model.actions)};
  const BlockPlan plan{.make = [&](int run) { return block_of(tables, {.seed = 1, .first = 100 + run}); }};
  const Comparison found = compare(plan, uniform, nullptr, {.steps = 400'000, .alpha = 1e-4, .jobs = 1});
  ASSERT_TRUE(found.policy.refusal.empty()) << found.policy.refusal;
  EXPECT_EQ(found.policy.method, "batch_means");
  const double gain = exact_gain(model, PolicyTable(model.states, model.actions));
  EXPECT_LE(found.policy.interval.low, gain);
  EXPECT_GE(found.policy.interval.high, gain);
}

}  // namespace
}  // namespace politex
