// Runs with a guard, a prior and action masks.
#include "politex/run/incumbents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/env/masks.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

Config queue_config(const std::string& learner) {
  Config config = default_config("n_model");
  config.set("environment.buffer", std::int64_t{12});
  config.set("algorithm.name", learner);
  config.steps = 4000;
  if (config.find("explorer.name") != nullptr && learner != "auto") config.set("explorer.name", "uniform");
  return config;
}

Config with_a_guard(Config config) {
  config.set("guard.incumbent", "threshold:4");
  config.set("guard.limit", 8.0);
  config.set("guard.release", 5.0);
  return config;
}

/// A random model of 12 states in which about half of the pairs are masked.
FiniteModel half_masked() {
  Config config = default_config("garnet");
  FiniteModel model = make_model(config);
  Rng rng(7);
  std::vector<std::uint8_t> possible;
  for (int pair = 0; pair < model.pairs(); ++pair)
    possible.push_back(pair % model.actions == pair / model.actions % model.actions || rng.uniform() < 0.4 ? 1 : 0);
  return with_masks(model, possible);
}

std::string refused(const Config& config) {
  try {
    make_run(config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

// Learners that know masks never take a masked pair, on both paths.
TEST(Incumbents, LearnersThatKnowMasksNeverTakeAMaskedPair) {
  const FiniteModel model = half_masked();
  for (const char* const learner : {"auto", "ee_politex", "politex", "lspi", "rlsvi"}) {
    std::vector<double> averages;
    for (const char* const path : {"auto", "generic"}) {
      Config config = default_config("garnet");
      config.set("algorithm.name", learner);
      config.set("algorithm.path", path);
      if (config.find("explorer.name") != nullptr && std::string(learner) != "auto")
        config.set("explorer.name", "uniform");
      config.steps = 3000;
      RunParts parts;
      parts.model = model;
      const auto run = make_run(config, {}, std::move(parts));
      while (!run->done()) {
        run->advance();
        for (const std::int32_t pair : run->phase()->model_pairs)
          ASSERT_NE(model.possible[static_cast<std::size_t>(pair)], 0) << learner;
      }
      averages.push_back(run->average_cost());
    }
    // A uniform explorer draws again where its action is masked, and the table of the compiled path need not: equal
    // distributions, other bits. The last two sum transitions in another order there.
    if (std::string(learner) == "auto" || std::string(learner) == "politex") {
      EXPECT_EQ(averages[0], averages[1]) << learner;
    }
  }
}

TEST(Incumbents, LearnersThatDoNotKnowMasksFindTheSameOptimum) {
  const FiniteModel model = half_masked();
  for (const char* const learner : {"q_learning", "psrl"}) {
    Config config = default_config("garnet");
    config.set("algorithm.name", learner);
    config.steps = 3000;
    RunParts parts;
    parts.model = model;
    const auto run = make_run(config, {}, std::move(parts));
    while (!run->done()) run->advance();
    EXPECT_DOUBLE_EQ(run->summary().finite->optimal_gain, exact::optimal_gain(model)) << learner;
  }
}

// Checkpoints carry the masks of kept transitions.
TEST(Incumbents, RunsWithMasksResume) {
  for (const char* const learner : {"lspi", "rlsvi"})
    for (const char* const path : {"auto", "generic"}) {
      Config config = default_config("garnet");
      config.set("algorithm.name", learner).set("algorithm.path", path);
      config.steps = 3000;
      const auto made = [&] {
        RunParts parts;
        parts.model = half_masked();
        return make_run(config, {}, std::move(parts));
      };
      const auto whole = made(), first = made(), second = made();
      while (!whole->done()) whole->advance();
      while (first->steps_done() < 1500) first->advance();
      ByteWriter to;
      first->save(to);
      ByteReader from(to.bytes());
      second->restore(from);
      while (!second->done()) second->advance();
      EXPECT_EQ(second->summary().signature, whole->summary().signature) << learner << ' ' << path;
    }
}

TEST(Incumbents, GuardedStepsAreCountedAndTheIncumbentActs) {
  for (const char* const learner : {"auto", "ee_politex", "q_learning"}) {
    const auto run = make_run(with_a_guard(queue_config(learner)));
    while (!run->done()) run->advance();
    std::vector<double> row;
    run->row(row);
    const Summary summary = run->summary();
    EXPECT_EQ(run->columns().back(), "guarded_steps");
    EXPECT_EQ(row.back(), static_cast<double>(*summary.guarded_steps)) << learner;
    EXPECT_GT(*summary.guarded_steps, 0) << learner;
    EXPECT_LT(*summary.guarded_steps, 3000) << learner;
  }
}

// Cut in the middle and resumed, the counts and the bits are those of one run.
TEST(Incumbents, GuardedRunsResume) {
  const Config config = with_a_guard(queue_config("auto"));
  const auto whole = make_run(config, {.extendable = true});
  while (!whole->done()) whole->advance();
  Config half = config;
  half.steps = 1777;
  const auto first = make_run(half, {.extendable = true});
  while (!first->done()) first->advance();
  ByteWriter to;
  first->save(to);
  const auto second = make_run(half, {.extendable = true});
  ByteReader from(to.bytes());
  second->restore(from);
  second->extend(config.steps);
  while (!second->done()) second->advance();
  EXPECT_EQ(second->summary().signature, whole->summary().signature);
  EXPECT_EQ(second->summary().guarded_steps, whole->summary().guarded_steps);
}

TEST(Incumbents, WithoutAGuardNothingIsRecorded) {
  const auto run = make_run(queue_config("auto"));
  while (!run->done()) run->advance();
  EXPECT_FALSE(run->summary().guarded_steps.has_value());
  EXPECT_EQ(std::ranges::count(run->columns(), std::string("guarded_steps")), 0);
}

TEST(Incumbents, AGuardOnAnEnvironmentThatIsNotFinite) {
  Config config = default_config("mountain_car");
  config.set("algorithm.name", "auto");
  config.steps = 3000;
  config.set("guard.incumbent", "always:1");
  config.set("guard.limit", 0.1);  // of the observation: position + .5
  config.set("guard.coordinate", std::int64_t{0});
  const auto run = make_run(config);
  while (!run->done()) run->advance();
  EXPECT_GT(*run->summary().guarded_steps, 0);
  EXPECT_LT(*run->summary().guarded_steps, 3000);
}

// With a large weight the first policy is the prior; both paths take the same steps.
TEST(Incumbents, ThePriorIsTheFirstPolicy) {
  std::vector<double> averages;
  for (const char* const path : {"auto", "generic"}) {
    Config config = queue_config("ee_politex");
    config.set("algorithm.path", path);
    config.set("algorithm.incumbent", "threshold:4");
    config.set("algorithm.incumbent_weight", 50.0);
    config.steps = 400;
    config.set("schedule.rollouts", std::int64_t{1});
    config.set("schedule.explore", std::int64_t{10});
    config.set("schedule.follow", std::int64_t{389});
    const auto run = make_run(config);
    run->advance();
    const FiniteModel model = make_model(config);
    const auto actions = *named_heuristic("threshold:4", model, "");
    const auto pairs = run->phase()->model_pairs;
    for (std::size_t t = 11; t < 400; ++t)
      ASSERT_EQ(pairs[t] % model.actions, actions[static_cast<std::size_t>(pairs[t] / model.actions)]) << path;
    averages.push_back(run->average_cost());
  }
  EXPECT_EQ(averages[0], averages[1]);
}

TEST(Incumbents, BadGuardsAndPriorsAreRefusedBeforeAnythingRuns) {
  const auto changed = [](const char* key, const Value& value) {
    Config config = with_a_guard(queue_config("auto"));
    config.set(key, value);
    return config;
  };
  EXPECT_THAT(refused(changed("guard.incumbent", "no_such_rule")), HasSubstr("guard.incumbent"));
  EXPECT_THAT(refused(changed("guard.incumbent", "uniform")), HasSubstr("\"uniform\" is random"));
  EXPECT_THAT(refused(changed("guard.incumbent", "always:9")), HasSubstr("accepted: 0 to"));
  EXPECT_THAT(refused(changed("guard.release", 9.0)), HasSubstr("accepted: at most the limit"));
  EXPECT_THAT(refused(changed("guard.coordinate", std::int64_t{7})), HasSubstr("guard.coordinate"));
  Config always = changed("guard.limit", -1.0);
  always.set("guard.release", std::string("limit"));
  EXPECT_THAT(refused(always), HasSubstr("the guard is always on"));
  Config prior = queue_config("lspi");
  prior.set("algorithm.incumbent", "c_mu");
  EXPECT_THAT(refused(prior), HasSubstr("cannot start from another one"));
}

}  // namespace
}  // namespace politex
