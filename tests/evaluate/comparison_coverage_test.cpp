// What a verdict promises, on the whole way from two policies to it: intervals of the difference cover the exact one,
// and policies of equal cost are rarely told apart. With POLITEX_COVERAGE=25 (.ci/run nightly) 500 and 2,000 of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evaluate/coverage.hpp"
#include "politex/evaluate/comparison.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

double gain_from_start(const FiniteModel& model, const PolicyTable& policy) {
  return exact::evaluate(model, policy.probabilities()).gain[static_cast<std::size_t>(model.start)];
}

/// The model with one more action: another name of the last one. Its outcomes are listed in reverse order, so the same
/// random number leads elsewhere: policies that use either name have equal costs on average and never step by step.
FiniteModel with_another_name(const FiniteModel& model) {
  FiniteModel out = model;
  out.actions = model.actions + 1;
  out.first = {0};
  out.next.clear();
  out.probability.clear();
  out.cost.clear();
  for (int state = 0; state < model.states; ++state)
    for (int a = 0; a < out.actions; ++a) {
      const auto pair = static_cast<std::size_t>(model.pair(state, std::min(a, model.actions - 1)));
      const auto begin = model.first[pair], end = model.first[pair + 1];
      for (auto k = begin; k < end; ++k) {
        const auto from = static_cast<std::size_t>(a < model.actions ? k : begin + end - 1 - k);
        out.next.push_back(model.next[from]);
        out.probability.push_back(model.probability[from]);
      }
      out.first.push_back(static_cast<std::int64_t>(out.next.size()));
      out.cost.push_back(model.cost[pair]);
    }
  return out;
}

PolicyTable the_same_everywhere(const FiniteModel& model, const std::vector<double>& probabilities) {
  PolicyTable table(model.states, model.actions);
  std::vector<double> all;
  for (int state = 0; state < model.states; ++state) all.insert(all.end(), probabilities.begin(), probabilities.end());
  table.set(all);
  return table;
}

constexpr int compared_runs = 8;
constexpr std::int64_t compared_steps = 512;  // both as in compare()

Recorded record(const FiniteModel& model, const PolicyTable& policy, std::uint64_t seed, std::int64_t batches,
                std::int64_t steps_each = compared_steps) {
  return simulate(model, policy, frequent_state(model, policy, seed),
                  {.seed = seed, .runs = compared_runs, .batch_steps = steps_each, .batches = batches, .jobs = 1});
}

/// As if the simulation had been stopped after this number of batches.
Recorded stopped(const Recorded& whole, std::size_t batches) {
  Recorded out;
  for (const Batches& run : whole.batches)
    out.batches.emplace_back(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(batches));
  return out;
}

TEST(Comparison, OfStoppedRecordsIsTheOneOfShorterSimulations) {
  const FiniteModel model = with_another_name(make_model(default_config("river_swim")));
  const PolicyTable one = the_same_everywhere(model, {0.3, 0.7, 0.0}),
                    other = the_same_everywhere(model, {0.3, 0, 0.7});
  const Recorded first = record(model, one, 3, 120), second = record(model, other, 3, 120);
  for (const int batches : {70, 97, 120}) {
    const auto count = static_cast<std::size_t>(batches);
    const Recorded seen = stopped(second, count);
    const Comparison found = compare(stopped(first, count), &seen, 0.05),
                     expected = compare(model, one, &other,
                                        {.steps = compared_runs * compared_steps * batches,
                                         .seed = 3,
                                         .alpha = 0.05,
                                         .simulate = true,
                                         .jobs = 1});
    EXPECT_EQ(found.difference->interval, expected.difference->interval);
    EXPECT_EQ(found.difference->verdict, expected.difference->verdict);
  }
}

// Two different policies of equal cost, looked at after every batch (few: every eighth). Of the 2,000 at most 100 may
// ever give a verdict. Batches are short, as those of environments that are not finite, so the first looks that are not
// refused are at runs that are only just long enough.
TEST(Comparison, RarelyDecidesBetweenPoliciesOfEqualCost) {
  const FiniteModel model = with_another_name(make_model(default_config("river_swim")));
  const PolicyTable one = the_same_everywhere(model, {0.3, 0.7, 0.0}),
                    other = the_same_everywhere(model, {0.3, 0, 0.7});
  ASSERT_NEAR(gain_from_start(model, one), gain_from_start(model, other), 1e-12);
  const Seeds seeds(Seeds::many() ? 80 : 200);
  constexpr std::size_t batches = 128, first_accepted = 64;
  constexpr std::int64_t steps_each = 64;
  const std::size_t every = Seeds::many() ? 1 : 8;
  int alarms = 0, different = 0;
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Recorded first = record(model, one, seed, batches, steps_each),
                   second = record(model, other, seed, batches, steps_each);
    bool alarm = false;
    for (std::size_t count = first_accepted; count <= batches; count += every) {
      const Recorded seen = stopped(second, count);
      const Difference found = *compare(stopped(first, count), &seen, 0.05).difference;
      alarm = alarm || found.verdict != Verdict::not_yet;
      different += count == batches && found.refusal.empty() && found.interval.mean != 0.0 ? 1 : 0;
    }
    alarms += alarm ? 1 : 0;
  }
  RecordProperty("alarms", alarms);
  EXPECT_LE(alarms, 0.05 * seeds.count());
  EXPECT_GT(different, 0.9 * seeds.count());  // there was something to decide
}

/// Intervals of simulated differences, each simulation cut at several lengths.
void expect_covered(const FiniteModel& model, const PolicyTable& policy, const PolicyTable& reference) {
  const double truth = gain_from_start(model, policy) - gain_from_start(model, reference);
  const std::vector<std::size_t> lengths = {64, 96, 192};
  std::vector<Coverage> covered(lengths.size());
  const Seeds seeds(20);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Recorded first = record(model, policy, seed, static_cast<std::int64_t>(lengths.back())),
                   second = record(model, reference, seed, static_cast<std::int64_t>(lengths.back()));
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      const Recorded seen = stopped(second, lengths[k]);
      const Difference found = *compare(stopped(first, lengths[k]), &seen, 0.05).difference;
      if (found.refusal.empty()) covered[k].add(found.interval, truth);
    }
  }
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    ::testing::Test::RecordProperty("batches_" + std::to_string(lengths[k]), ::testing::PrintToString(covered[k]));
    EXPECT_TRUE(covered[k].is_enough()) << lengths[k] << " batches: " << covered[k];
    EXPECT_GT(covered[k].accepted, 0.5 * seeds.count()) << lengths[k];
  }
}

TEST(Comparison, PairedIntervalsCoverTheExactDifference) {
  const FiniteModel model = make_model(default_config("river_swim"));
  expect_covered(model, the_same_everywhere(model, {0.3, 0.7}), PolicyTable(model.states, model.actions));
}

TEST(Comparison, PairedIntervalsCoverTheExactDifferenceOfQueues) {
  Config config = default_config("n_model");
  config.set("environment.load", 0.7).set("environment.buffer", std::int64_t{20});
  const FiniteModel model = make_model(config);
  PolicyTable always(model.states, model.actions);
  always.set_always(1);
  expect_covered(model, always, PolicyTable(model.states, model.actions));
}

}  // namespace
}  // namespace politex
