#include "politex/bench/bench_cores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "politex/base/pool.hpp"

namespace politex {
namespace {

std::map<std::string, NeuralBenchRow> by_name(const std::vector<NeuralBenchRow>& rows) {
  std::map<std::string, NeuralBenchRow> named;
  for (const NeuralBenchRow& row : rows) EXPECT_TRUE(named.emplace(row.name, row).second) << row.name;
  return named;
}

/// Three rounds; the medians of the ratios are those of the second round.
CoreTimes given_times() {
  CoreTimes times;
  times.steps = 600.0;
  times.one_cpu = {4.0, 3.0, 2.0};
  times.one_wall = {5.0, 4.0, 3.0};
  times.learner_share = {0.5, 0.625, 0.75};
  times.ordered = {1.25, 1.5, 1.75};
  times.two_wall = {4.0, 2.5, 1.5};
  times.learner_cpu = {3.5, 2.0, 1.0};
  times.act_cpu = {1.0, 1.5, 1.25};
  times.own_share = {0.75, 0.875, 1.0};
  times.one_rows = {100.0, 100.0, 100.0};
  times.two_rows = {10.0, 20.0, 30.0};
  times.both_wall = {10.0, 6.0, 4.0};
  return times;
}

TEST(CoreRows, AreMediansOfTheMeasuredRatios) {
  const auto rows = by_name(core_rows(given_times()));
  EXPECT_EQ(rows.at("end to end, ring full, one core").value, 300.0);  // the shortest time
  EXPECT_EQ(rows.at("share of work that only the learner can do").value, 0.625);
  EXPECT_EQ(rows.at("speed-up possible on two cores with this share").value, 1.6);
  EXPECT_EQ(rows.at("  possible with the order of the work as well").value, 1.5);
  EXPECT_EQ(rows.at("speed-up on two idle cores, wall time").value, 1.6);  // of 1.25, 1.6, 2
  EXPECT_EQ(rows.at("  by CPU time of the busier thread").value, 1.5);     // of 4/3.5, 3/2, 2/1.25
  EXPECT_EQ(rows.at("  share of the learner's thread only it can do").value, 0.875);
  EXPECT_EQ(rows.at("  share of stale policies that it computes").value, 0.2);
  EXPECT_EQ(rows.at("  this machine: two parallel runs vs. two in turn").value, 2.0 * (4.0 / 6.0));  // of .5, .667, .75
}

TEST(CoreRows, TheAimIsNineTenthsOfTheSmallerLimit) {
  CoreTimes times = given_times();
  const char* const name = "speed-up on two idle cores, wall time";
  EXPECT_EQ(by_name(core_rows(times)).at(name).aim, 0.9 * 1.5);  // the order of the work is the smaller one
  times.ordered = {1.75, 1.875, 2.0};
  EXPECT_EQ(by_name(core_rows(times)).at(name).aim, 0.9 * 1.6);  // the learner's share
  times.learner_share = {0.25, 0.25, 0.25};
  times.ordered = {3.0, 3.0, 3.0};
  EXPECT_EQ(by_name(core_rows(times)).at(name).aim, 0.9 * 2.0);  // there are two cores
}

TEST(CoreRows, WithoutASecondCoreThereAreTwo) {
  CoreTimes times = given_times();
  times.two_wall.clear();
  EXPECT_EQ(core_rows(times).size(), 2U);
}

TEST(CoreRows, AreMeasured) {
  std::vector<NeuralBenchRow> rows;
  add_two_cores(rows, {.repetitions = 1, .share = 0.02});
  EXPECT_EQ(rows.size(), resolve_jobs(0) > 1 ? 9U : 2U);
  for (const NeuralBenchRow& row : rows) {
    EXPECT_TRUE(std::isfinite(row.value)) << row.name;
    EXPECT_GE(row.value, 0.0) << row.name;
  }
}

}  // namespace
}  // namespace politex
