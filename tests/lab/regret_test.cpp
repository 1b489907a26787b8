// The six terms sum to the regret, for every algorithm and environment, and looking on changes no bit of the learning.
#include "politex/lab/regret.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/lab/fields.hpp"
#include "politex/lab/run.hpp"

namespace politex::lab {
namespace {

Config small(const char* environment, const char* algorithm, const char* path) {
  Config config = default_config(environment);
  config.steps = 3000;
  config.environment.size = 6;
  config.environment.states = 8;
  config.environment.teleport = 0.05;
  config.algorithm.name = algorithm;
  config.algorithm.path = path;
  config.schedule.explore = Length::steps(4);
  config.schedule.follow = Length::steps(9);
  config.exact.every = 7;
  return config;
}

Summary finished(const Config& config, bool regret = true) {
  const auto run = make_run(config, {.regret = regret});
  while (!run->done()) run->advance();
  return run->summary();
}

TEST(Regret, TheSixTermsSumToIt) {
  for (const char* environment : {"deep_sea", "river_swim", "garnet"})
    for (const char* algorithm : {"ee_politex", "politex", "rlsvi", "lspi"})
      for (const char* path : {"compiled", "generic"}) {
        const Summary summary = finished(small(environment, algorithm, path));
        ASSERT_TRUE(summary.finite.has_value());
        const FiniteSummary& finite = *summary.finite;
        const RegretTerms& t = finite.terms;
        const double sum = t.E + t.PR + t.V + t.W + t.V_explore + t.W_explore;
        EXPECT_NEAR(sum, finite.regret, 1e-8 * (1.0 + std::abs(finite.regret))) << environment << algorithm << path;
        EXPECT_NEAR(finite.regret_to_gain, 3000 * (summary.average_cost - finite.optimal_gain), 1e-7);
        if (summary.explorer.steps == 0) {
          EXPECT_EQ(t.E, 0.0);
          EXPECT_EQ(t.V_explore, 0.0);
          EXPECT_EQ(t.W_explore, 0.0);
        }
        EXPECT_EQ(summary.signature, finished(small(environment, algorithm, path), false).signature);
      }
}

// Where nothing is random the comparator's sums are looked up instead of walked.
TEST(Regret, TheComparatorStaysWithinOneClimbOfItsGain) {
  Config config = small("deep_sea", "ee_politex", "compiled");
  config.environment.teleport = 0.0;
  const Summary summary = finished(config);
  // An optimal policy of DeepSea at N = 6 gains 1.5 a step up to one climb, so W + W_explore stays bounded.
  EXPECT_LT(std::abs(summary.finite->terms.W + summary.finite->terms.W_explore), 4.0 * 6);
  EXPECT_NEAR(summary.finite->optimal_gain, -1.5, 1e-12);
}

}  // namespace
}  // namespace politex::lab
