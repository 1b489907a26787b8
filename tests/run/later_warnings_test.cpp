// What a run that cannot have learned says, and what to do about it.
#include "politex/run/later_warnings.hpp"

#include <gtest/gtest.h>

#include <string>

#include "politex/run/run.hpp"

namespace politex {
namespace {

/// All warnings of a run of the default learner, one per line.
std::string warnings_of_default(const char* environment, std::int64_t steps, std::int64_t bins = 0) {
  Config config = default_config(environment);
  config.set("algorithm.name", std::string("auto"));
  if (bins > 0) config.set("features.bins", bins);
  config.steps = steps;
  const auto run = make_run(config, {.regret = false});
  while (!run->done()) run->advance();
  std::string all;
  for (const std::string& warning : run->summary().warnings) all += warning + "\n";
  return all;
}

TEST(LaterWarnings, EqualCostsAndOnlyTheTimeLimit) {
  const std::string text = warnings_of_default("mountain_car", 600);
  EXPECT_NE(text.find("cost 1 so far, and no episode terminated (the time limit ended all of them)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("before an episode terminates, which then costs -1 more (restart_cost)"), std::string::npos);
  EXPECT_EQ(warnings_of_default("cartpole_balance", 2'000), "");
}

TEST(LaterWarnings, FewPhases) {
  EXPECT_NE(warnings_of_default("cartpole_balance", 300).find("300 steps are 3 phases"), std::string::npos);
  EXPECT_NE(warnings_of_default("river_swim", 300).find("take more steps"), std::string::npos);
  EXPECT_EQ(warnings_of_default("river_swim", 600), "");
}

TEST(LaterWarnings, AnExplorerThatCannotTellObservationsApart) {
  EXPECT_NE(warnings_of_default("cartpole_balance", 2'000, 1).find("features.bins"), std::string::npos);
}

}  // namespace
}  // namespace politex
