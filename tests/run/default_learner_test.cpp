// The default learner (algorithm.name = auto) as runs see it: what it reaches without settings, and its bits after
// stops and extensions.
#include <gtest/gtest.h>

#include <string>

#include "politex/run/run.hpp"

namespace politex {
namespace {

Config default_learner_on(std::string environment, std::int64_t steps) {
  Config config = default_config(environment);
  config.set("algorithm.name", std::string("auto"));
  config.steps = steps;
  return config;
}

std::string finish(Run& run) {
  while (!run.done()) run.advance();
  return run.summary().signature;
}

// The seeds are fixed, so these runs have the same bits every time: they cannot fail by chance.
TEST(DefaultLearner, LearnsWithoutAnExplorerAndWithoutSettings) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Config sea = default_learner_on("deep_sea", 100'000);
    sea.seed = seed;
    sea.set("environment.size", std::int64_t{10}).set("environment.swap", std::string("rows"));
    const auto swimming = make_run(sea, {.regret = false});
    finish(*swimming);
    EXPECT_LT(swimming->summary().average_cost, -1.4);  // the optimum is -1.5
    Config river = default_learner_on("river_swim", 100'000);
    river.seed = seed;
    const auto run = make_run(river, {.regret = false});
    finish(*run);
    EXPECT_LT(run->summary().average_cost, -0.40);  // the optimum is -.4286, staying left gives -.005
  }
}

TEST(DefaultLearner, TheShareOfExploredStepsVanishes) {
  double before = 1.0;
  for (const std::int64_t steps : {3'000, 30'000, 300'000}) {
    const auto run = make_run(default_learner_on("deep_sea", steps), {.regret = false});
    finish(*run);
    const Summary summary = run->summary();
    const double share = static_cast<double>(summary.explorer.steps + summary.probe.steps) / static_cast<double>(steps);
    EXPECT_LT(share, before / 2.0) << steps;
    before = share;
  }
}

/// Continuous states, with the same settings: steps per goal in the last tenth of the run. Fixed seeds, fixed bits.
TEST(DefaultLearner, LearnsWhereStatesAreNotListed) {
  struct Case {
    const char* environment;
    double steps_per_goal;
  };
  for (const Case& one : {Case{"mountain_car", 150.0}, Case{"acrobot", 200.0}}) {
    const auto run = make_run(default_learner_on(one.environment, 100'000), {.regret = false});
    double first = 0.0;
    for (std::vector<double> row; !run->done();) {
      run->advance();
      run->row(row);
      if (first == 0.0 && row[3] < 1.0) first = row[1];
    }
    EXPECT_LT(first, 5'000.0) << one.environment;  // the first goal
    EXPECT_LT(1.0 / (1.0 - run->summary().average_cost_last_tenth), one.steps_per_goal) << one.environment;
  }
}

/// Saved after every phase and restored into a new run.
TEST(DefaultLearner, ARestoredRunHasTheSameBits) {
  for (const char* environment : {"deep_sea", "river_swim", "mountain_car", "acrobot"})
    for (const char* path : {"auto", "generic"}) {
      Config config = default_learner_on(environment, 4'000);
      config.set("algorithm.path", std::string(path));
      const std::string whole = finish(*make_run(config, {.regret = false}));
      auto run = make_run(config, {.regret = false});
      while (!run->done()) {
        run->advance();
        ByteWriter saved;
        run->save(saved);
        run = make_run(config, {.regret = false});
        ByteReader from(saved.bytes());
        run->restore(from);
      }
      EXPECT_EQ(run->summary().signature, whole) << environment << " " << path;
    }
}

/// The same for explorers and features of other kinds: by information, by features without states, and fixed ones.
TEST(DefaultLearner, ARestoredRunOfOtherPartsHasTheSameBits) {
  struct Case {
    const char *environment, *algorithm, *explorer, *exploration, *features;
  };
  for (const Case& one : {Case{"deep_sea", "ee_politex", "design", "lean", "additive"},
                          Case{"deep_sea", "ee_politex", "uniform", "sustained", "additive"},
                          Case{"river_swim", "auto", "always", "vanishing", "cells"},
                          Case{"deep_sea", "auto", "count", "vanishing", "additive"},
                          Case{"mountain_car", "auto", "learned", "vanishing", "fourier"}}) {
    Config config = default_learner_on(one.environment, 1'200);
    config.set("algorithm.name", std::string(one.algorithm)).set("explorer.name", std::string(one.explorer));
    config.set("schedule.exploration", std::string(one.exploration)).set("features.name", std::string(one.features));
    if (std::string(one.environment) == "deep_sea") config.set("environment.size", std::int64_t{6});
    if (std::string(one.features) == "fourier") config.set("features.order", std::int64_t{2});
    const auto straight = make_run(config, {.regret = false});
    const std::string whole = finish(*straight);
    EXPECT_GT(straight->summary().explorer.steps, 0) << one.explorer;
    EXPECT_LT(straight->summary().explorer.steps, 1'200) << one.explorer;
    auto run = make_run(config, {.regret = false});
    while (!run->done()) {
      run->advance();
      ByteWriter saved;
      run->save(saved);
      run = make_run(config, {.regret = false});
      ByteReader from(saved.bytes());
      run->restore(from);
    }
    EXPECT_EQ(run->summary().signature, whole) << one.environment << " " << one.explorer << " " << one.features;
  }
}

/// The end of a run may fall into any segment: extended, it has the bits of a run of this length from the start.
TEST(DefaultLearner, AnExtendedRunHasTheSameBits) {
  for (const char* environment : {"deep_sea", "river_swim", "cartpole_balance", "mountain_car"}) {
    const Config config = default_learner_on(environment, 1'500);
    const std::string whole = finish(*make_run(config, {.regret = false, .extendable = true}));
    for (const std::int64_t first : {1, 37, 101, 250, 733, 1'499}) {
      Config begun = config;
      begun.steps = first;
      const auto run = make_run(begun, {.regret = false, .extendable = true});
      finish(*run);
      run->extend(first + 1);
      finish(*run);
      run->extend(1'500);
      EXPECT_EQ(finish(*run), whole) << environment << " after " << first;
    }
  }
}

TEST(DefaultLearner, TheRegretTermsSumToTheRegret) {
  const auto run = make_run(default_learner_on("river_swim", 20'000));
  finish(*run);
  const auto finite = run->summary().finite;
  ASSERT_TRUE(finite);
  const RegretTerms& terms = finite->terms;
  EXPECT_NEAR(terms.E + terms.PR + terms.V + terms.W + terms.V_explore + terms.W_explore, finite->regret, 1e-6);
  EXPECT_NEAR(terms.V_explore, 0.0, 1e-9);  // the explorer has no gain: its costs are in E
}

}  // namespace
}  // namespace politex
