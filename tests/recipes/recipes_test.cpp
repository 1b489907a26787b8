// The recipes of docs/guide: the new files of examples/recipes with the patched catalogues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "politex/algorithm/finite_collector.hpp"
#include "politex/algorithm/greedy_mc_learner.hpp"
#include "politex/algorithm/phase_loop.hpp"
#include "politex/base/error.hpp"
#include "politex/env/coin_walk.hpp"
#include "politex/env/conformance.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/features/remainder.hpp"
#include "politex/features/tabular.hpp"
#include "politex/figures/reproduce.hpp"
#include "politex/policy/round_robin.hpp"
#include "politex/report/list.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/summary.hpp"
#include "politex/studies/catalogue.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Config small_config() {
  Config config = default_config(coin_walk_entry().name);
  config.steps = 3000;
  return config;
}

/// Plays the whole run.
Summary finish(const Config& config) {
  check(config);
  const auto run = make_run(config);
  while (!run->done()) run->advance();
  return run->summary();
}

TEST(Recipes, EveryEntryIsListed) {
  const std::string text = list_text("");
  for (const char* name : {"coin_walk", "greedy_mc", "round_robin", "remainder"})
    EXPECT_THAT(text, HasSubstr("  " + std::string(name) + " "));
  for (const char* name : {"environment.push", "explorer.hold", "features.modulus"})
    EXPECT_NE(find_key(name), nullptr) << name;
  EXPECT_EQ(find_figure("two_seeds").name, "two_seeds");
}

TEST(Recipes, BadValuesAreRefusedByName) {
  Config config = small_config();
  EXPECT_THROW(config.set("environment.push", 0.4), ConfigError);
  EXPECT_THROW(config.set("environment.size", std::int64_t{1}), ConfigError);
  config.set("explorer.name", std::string("round_robin"));
  EXPECT_THROW(config.set("explorer.hold", std::int64_t{0}), ConfigError);
}

TEST(RecipeEnvironment, KeepsItsPromises) {
  EXPECT_EQ(conformance_problems(CoinWalk(10, 0.8)), no_problems);
  EXPECT_EQ(conformance_problems(CoinWalk(2, 1.0)), no_problems);
}

// Always pushing is a birth-death chain: the probability of state x is proportional to ((1 - push) / push)^x.
TEST(RecipeEnvironment, HasTheGainOfItsBirthDeathChain) {
  const FiniteModel model = coin_walk_entry().model({});
  check(model);
  std::vector<double> always_push;
  double weight = 1.0, total = 0.0, cost = 0.0;
  for (int x = 0; x < model.states; ++x, weight *= 0.25) {
    always_push.insert(always_push.end(), {0.0, 1.0});
    total += weight;
    cost += weight * (x / 9.0 + 0.1);
  }
  EXPECT_NEAR(exact::evaluate(model, always_push).gain[0], cost / total, 1e-12);
}

TEST(RecipeEnvironment, Runs) {
  const Summary summary = finish(small_config());
  EXPECT_EQ(summary.steps, 3000);
  EXPECT_EQ(summary.environment, "coin_walk");
  EXPECT_TRUE(std::isfinite(summary.average_cost));
  ASSERT_TRUE(summary.finite.has_value());

  const auto run = make_run(small_config(), {}, {.model = coin_walk_entry().model({})});
  while (!run->done()) run->advance();
  EXPECT_EQ(run->summary().signature, summary.signature);
}

TEST(RecipeExplorer, TakesTheActionsInTurn) {
  const Space space = coin_walk_entry().space({});
  Values values;
  const auto explorer = round_robin_entry().make({.values = values, .space = space, .environment = space.name});
  ExplorerMemory memory;
  Rng rng{1, Use::action};
  const std::vector<double> state{0.0};
  std::vector<Action> actions;
  for (int t = 0; t < 4; ++t) actions.push_back(explorer->act(std::span<const double>(state), memory, rng));
  EXPECT_THAT(actions, ElementsAre(0, 1, 0, 1));

  values.set(round_robin_entry().keys.front(), std::int64_t{2});
  const auto slower = round_robin_entry().make({.values = values, .space = space, .environment = space.name});
  memory = {};
  actions.clear();
  for (int t = 0; t < 6; ++t) actions.push_back(slower->act(std::span<const double>(state), memory, rng));
  EXPECT_THAT(actions, ElementsAre(0, 0, 1, 1, 0, 0));
}

TEST(RecipeExplorer, Runs) {
  Config config = small_config();
  config.set("explorer.name", std::string("round_robin")).set("explorer.hold", std::int64_t{3});
  const Summary summary = finish(config);
  EXPECT_GT(summary.explorer.steps, 0);
}

TEST(RecipeFeatures, AreIndicatorsOfTheRemainder) {
  const Space space = coin_walk_entry().space({});
  EXPECT_TRUE(remainder_entry().fits(space, nullptr));
  EXPECT_FALSE(remainder_entry().fits(Space{.name = "continuous", .actions = 2, .ranges = {{0.0, 1.0}}}, nullptr));
  const auto map = remainder_entry().make({.values = {}, .space = space});
  const Features features = features_of_states(*map, space.states, space.actions);
  EXPECT_EQ(features.dimension(), 4);
  ASSERT_EQ(features.rows.rows(), 10);
  for (int x = 0; x < 10; ++x) {
    EXPECT_THAT(features.rows.indices(x), ElementsAre(x % 2));
    EXPECT_THAT(features.rows.values(x), ElementsAre(1.0));
  }
}

TEST(RecipeFeatures, Run) {
  Config config = small_config();
  config.set("features.name", std::string("remainder")).set("features.modulus", std::int64_t{5});
  EXPECT_EQ(finish(config).steps, 3000);
}

TEST(RecipeLearner, LearnsInThePhaseLoop) {
  const TableEnvironment environment(coin_walk_entry().model({}));
  const Features features = tabular_features(environment.model());
  const Lengths lengths{.rollouts = 1, .explore = 0, .probe = 0, .follow = 500};
  auto collector = std::make_unique<FiniteCollector>(environment, features, PolicyTable(10, 2), 1);
  LearnerParts parts;
  parts.structure = collector->structure();
  parts.actions = 2;
  parts.lengths = lengths;
  auto learner = greedy_mc_entry().make({}, parts);
  const Schedule schedule({.steps = 3000, .explores = false, .fixed = lengths});
  PhaseLoop loop(std::move(collector), std::move(learner), schedule, 3000);
  loop.advance();
  const std::vector<double> first(loop.learner().weights().begin(), loop.learner().weights().end());
  EXPECT_THAT(first, ::testing::Contains(::testing::Ne(0.0)));
  while (!loop.done()) loop.advance();
  EXPECT_EQ(loop.phases(), 6);

  ByteWriter saved;
  loop.learner().save(saved);
  auto other = greedy_mc_entry().make({}, parts);
  ByteReader from(saved.bytes());
  other->restore(from);
  EXPECT_THAT(other->weights(), ::testing::ElementsAreArray(loop.learner().weights()));
  other->restart(1.0);
  EXPECT_THAT(other->weights(), ::testing::Each(0.0));
}

// The seed is fixed. Without any push the walk is uniform over the states: it costs 0.5.
TEST(RecipeLearner, FindsTheCheapEnd) {
  Config config = small_config();
  config.steps = 50'000;
  config.set("algorithm.name", std::string("greedy_mc")).set("schedule.follow", std::string("50N"));
  const Summary summary = finish(config);
  EXPECT_LT(summary.average_cost_last_tenth, 0.4);
}

TEST(RecipeFigure, IsMadeFromItsCells) {
  const Figure& figure = find_figure("two_seeds");
  FigureOptions options;
  options.quick = true;
  options.out = std::filesystem::temp_directory_path() / ("politex_recipes_" + std::to_string(getpid()));
  Finished finished{.options = options, .cells = figure.cells(options), .summaries = {}};
  ASSERT_EQ(finished.cells.size(), 2u);
  for (const Cell& cell : finished.cells) finished.summaries.push_back(summary_json(finish(config_of(cell))));
  const FigureReport report = figure.report(finished);
  std::filesystem::create_directories(options.out);
  write_report(report, options.out, reproduce_text(figure.name, options));
  EXPECT_THAT(bytes_of(options.out / "report.html"), HasSubstr("Two seeds of EE-Politex"));
  EXPECT_THAT(bytes_of(options.out / "runs.csv"),
              ::testing::MatchesRegex("seed,average_cost\n1,-?[0-9.]+\n2,-?[0-9.]+\n"));
  std::filesystem::remove_all(options.out);
}

}  // namespace
}  // namespace politex
