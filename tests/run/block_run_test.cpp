// Linear learners on external environments, against the same learners on the same environment of this program.
#include "politex/run/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "politex/algorithm/learner.hpp"
#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

/// A run on a block that the caller brings.
std::unique_ptr<Run> run_on(const Config& config, std::unique_ptr<EnvironmentBlock> block,
                            const RunOptions& options = {}) {
  RunParts parts;
  parts.block = std::move(block);
  return make_run(config, options, std::move(parts));
}

/// A finite environment as an external block, with the draws of the program's own.
class FiniteBlock final : public EnvironmentBlock {
 public:
  FiniteBlock(const FiniteModel& model, std::uint64_t seed, bool can_save = true)
      : environment_(model), rng_(seed, Use::environment), state_(environment_.start(rng_)), can_save_(can_save) {
    space_.name = "Fake-v0";
    space_.actions = model.actions;
    space_.states = model.states;
    space_.ranges = {{0, static_cast<double>(model.states - 1)}};
  }
  const Space& space() const override { return space_; }
  int count() const override { return 1; }
  void step(int, std::span<const Action> actions, std::span<StepResult> into) override {
    if (broken) {  // as an environment does that only starts again
      broken = false;
      state_ = environment_.model().start;
      into[0] = {.skipped = true};
      return;
    }
    ++steps;
    if (steps == fail_at) {
      broken = true;
      throw Error("Fake-v0 broke");
    }
    if (steps == stop_at) stop.store(true);
    into[0] = {.cost = environment_.step(state_, actions[0], rng_).cost};
  }
  void observe(int, std::span<double> into) const override { into[0] = state_; }
  void observe(int, std::span<float> into) const override { into[0] = static_cast<float>(state_); }
  void last(int, std::span<double> into) const override { into[0] = state_; }
  void last(int, std::span<float> into) const override { into[0] = static_cast<float>(state_); }
  bool can_save() const override { return can_save_; }
  void save(int which, ByteWriter& to) const override {
    if (which != 0) return;
    to.put(state_);
    to.put(rng_.position());
  }
  void restore(int which, ByteReader& from) override {
    if (which != 0) return;
    from.get(state_);
    rng_.seek(from.get<std::uint64_t>());
  }

  std::int64_t steps = 0, fail_at = 0, stop_at = 0;
  bool broken = false;
  std::atomic<bool> stop{false};

 private:
  TableEnvironment environment_;
  Space space_;
  Rng rng_;
  int state_;
  bool can_save_;
};

Config river_config(const char* algorithm, std::int64_t steps) {
  Config config = default_config("river_swim");
  config.set("environment.teleport", 0.05);
  config.set("algorithm.name", algorithm);
  config.set("algorithm.path", "generic");
  config.set("features.name", "tabular");
  config.set("explorer.name", "always");
  config.steps = steps;
  return config;
}

struct ExternalRiver {
  FiniteBlock* block;
  std::unique_ptr<Run> run;
};

ExternalRiver external_river(const Config& config, bool can_save = true) {
  Config inner = config;
  inner.set("algorithm.path", "auto");
  auto block = std::make_unique<FiniteBlock>(make_model(config), config.seed, can_save);
  FiniteBlock* stepped = block.get();
  return {stepped, run_on(inner, std::move(block), {.extendable = true, .stop = &stepped->stop})};
}

void play_all(Run& run) {
  while (!run.done()) run.advance();
}

TEST(BlockRun, EqualsTheSameEnvironmentOfThisProgram) {
  for (const char* algorithm : {"ee_politex", "politex", "rlsvi", "lspi"}) {
    const Config config = river_config(algorithm, 3000);
    const auto inside = make_run(config);
    play_all(*inside);
    auto [block, run] = external_river(config);
    play_all(*run);
    EXPECT_EQ(run->summary().signature, inside->summary().signature) << algorithm;
    EXPECT_EQ(run->summary().average_cost, inside->summary().average_cost);
    EXPECT_EQ(run->summary().average_cost_last_tenth, inside->summary().average_cost_last_tenth);
    EXPECT_EQ(run->summary().path, "generic");
  }
}

TEST(BlockRun, StoppedAndFailedPhasesLoseNoStep) {
  const Config config = river_config("ee_politex", 3000);
  const auto whole = external_river(config);
  play_all(*whole.run);
  auto [block, run] = external_river(config);
  block->stop_at = 1234;
  while (!block->stop.load()) run->advance();
  EXPECT_EQ(run->steps_done(), 1234);
  block->stop.store(false);
  play_all(*run);
  EXPECT_EQ(run->summary().signature, whole.run->summary().signature) << "a stop changes nothing";

  auto broken = external_river(config);
  broken.block->fail_at = 1234;
  EXPECT_THROW(play_all(*broken.run), Error);
  EXPECT_EQ(broken.run->steps_done(), 1233);
  play_all(*broken.run);
  EXPECT_EQ(broken.run->steps_done(), 3000);
  EXPECT_EQ(broken.block->steps, 3001);
}

TEST(BlockRun, ResumesWhatWasSavedInTheMiddle) {
  const Config config = river_config("lspi", 3000);
  auto whole = external_river(config);
  play_all(*whole.run);
  for (const bool can_save : {true, false}) {
    Config first = config;
    first.steps = 1234;
    auto begun = external_river(first, can_save);
    play_all(*begun.run);
    ByteWriter saved;
    begun.run->save(saved);
    auto again = external_river(first, can_save);
    ByteReader from(saved.bytes());
    again.run->restore(from);
    EXPECT_TRUE(from.empty());
    again.run->extend(3000);
    play_all(*again.run);
    EXPECT_EQ(again.run->steps_done(), 3000);
    EXPECT_EQ(again.run->summary().signature == whole.run->summary().signature, can_save);
  }
}

TEST(BlockRun, ExactAnswersOfAnExtendedRunAreThoseOfTheWhole) {
  Config config = default_config("deep_sea");
  config.set("environment.size", 5);
  config.set("exact.every", 1);
  config.steps = 1000;
  const auto whole = make_run(config);
  play_all(*whole);
  const Summary expected = whole->summary();
  for (const std::int64_t cut : {7, 333, 999}) {
    config.steps = cut;
    const auto parts = make_run(config, {.extendable = true});
    play_all(*parts);
    ByteWriter saved;
    parts->save(saved);
    const auto again = make_run(config, {.extendable = true});
    ByteReader from(saved.bytes());
    again->restore(from);
    for (politex::Run* run : {parts.get(), again.get()}) {
      run->extend(1000);
      play_all(*run);
      const Summary result = run->summary();
      EXPECT_EQ(result.signature, expected.signature) << cut;
      ASSERT_TRUE(result.finite);
      EXPECT_EQ(result.finite->regret, expected.finite->regret) << cut;
      EXPECT_EQ(result.finite->terms.E, expected.finite->terms.E);
      EXPECT_EQ(result.finite->terms.PR, expected.finite->terms.PR);
      EXPECT_EQ(result.finite->terms.V_explore, expected.finite->terms.V_explore);
      EXPECT_EQ(result.phases, expected.phases);
    }
  }
}

TEST(BlockRun, RefusesWhatDoesNotFit) {
  Config config = river_config("ee_politex", 1000);
  config.set("explorer.action", 2);
  EXPECT_THROW(external_river(config), ConfigError);
  config.set("explorer.name", "energy_pump");
  EXPECT_THROW(external_river(config), ConfigError);
  config = river_config("ee_politex", 1000);
  config.set("features.name", "tiles");
  EXPECT_THROW(external_river(config), ConfigError);
}

/// What Python's agents ask for: an environment of the caller, which has no keys.
Config brought(const std::vector<std::string>& overrides) {
  std::vector<Assignment> all;
  for (const std::string& text : overrides) all.push_back(parse_override(text));
  return build_config(all, {.brings_environment = true, .extendable = true}).config;
}

TEST(BroughtModel, IsTheEnvironmentOfTheRun) {
  const std::vector<std::string> settings = {"explorer.name=uniform", "follow=20", "explore=5", "steps=2000"};
  const FiniteModel model = deep_sea_model(DeepSea(4));
  const auto run_of = [&](const RunOptions& options) {
    RunParts parts;
    parts.model = model;
    return make_run(brought(settings), options, std::move(parts));
  };
  std::vector<std::string> named = settings;
  named.insert(named.end(), {"environment.name=deep_sea", "environment.size=4"});
  std::vector<Assignment> all;
  for (const std::string& text : named) all.push_back(parse_override(text));
  const auto expected = make_run(build_config(all).config);
  const auto exact = run_of({}), plain = run_of({.exact = false});
  for (politex::Run* run : {expected.get(), exact.get(), plain.get()})
    while (!run->done()) run->advance();
  EXPECT_EQ(exact->summary().signature, expected->summary().signature);
  EXPECT_EQ(plain->summary().signature, expected->summary().signature);
  EXPECT_TRUE(exact->summary().finite.has_value());
  EXPECT_FALSE(plain->summary().finite.has_value());
  EXPECT_EQ(plain->summary().environment, model.name);
}

TEST(BroughtModel, HasNoKeysOfEnvironments) {
  const Config config = brought({});
  for (const Key* key : config.keys()) EXPECT_NE(key->table(), "environment") << key->name;
  EXPECT_THROW(brought({"environment.size=4"}), ConfigError);
  EXPECT_THROW(brought({"environment.name=deep_sea"}), ConfigError);
}

// Without a termination, too: all policies have the same average.
TEST(ConstantCost, IsReported) {
  FiniteModel model = deep_sea_model(DeepSea(4));
  const auto warnings = [&](bool as_block) {
    RunParts parts;
    if (as_block)
      parts.block = std::make_unique<FiniteBlock>(model, 1);
    else
      parts.model = model;
    const auto run =
        make_run(brought({"explorer.name=uniform", "follow=20", "explore=5", "steps=500"}), {}, std::move(parts));
    while (!run->done()) run->advance();
    const auto all = run->summary().warnings;
    return std::ranges::count_if(all,
                                 [](const std::string& one) { return one.find("same average") != std::string::npos; });
  };
  EXPECT_EQ(warnings(true), 0);
  EXPECT_EQ(warnings(false), 0);
  std::ranges::fill(model.cost, 1.0);
  EXPECT_EQ(warnings(true), 1);
  EXPECT_EQ(warnings(false), 1);
}

/// Features of a caller that go wrong from their `good`-th row on.
class GoneWrong final : public FeatureMap {
 public:
  GoneWrong(int good, std::string how) : good_(good), how_(std::move(how)) {}
  int columns() const override { return 7; }
  void append(std::span<const double> observation, SparseRows& into) const override {
    const auto column = static_cast<int>(observation[0]);
    const bool wrong = ++rows_ > good_;
    into.append(wrong && how_ == "index" ? 7 : wrong && how_ == "negative" ? -1 : column, 1.0);
    if (wrong && how_ == "value") into.append(6, std::nan(""));
    if (wrong && how_ == "throws") throw Error("no such observation");
    if (wrong && how_ == "none") {
      into.index.pop_back();
      into.value.pop_back();
      return;
    }
    into.end_row();
    if (wrong && how_ == "two") into.end_row();
  }

 private:
  int good_;
  std::string how_;
  mutable int rows_ = 0;
};

TEST(BadFeatures, NameTheStepAndTheRow) {
  for (const auto& [how, message] : std::vector<std::pair<std::string, std::string>>{
           {"index", "column 7 has the value 1; accepted: columns 0 to 6 and finite values"},
           {"negative", "column -1 has the value 1; accepted: columns 0 to 6 and finite values"},
           {"value", "column 6 has the value nan"},
           {"throws", "no such observation"},
           {"none", "0 rows were appended; accepted: 1"},
           {"two", "2 rows were appended; accepted: 1"}}) {
    Config config = river_config("ee_politex", 3000);
    config.set("algorithm.path", "auto");
    config.set("schedule.rollouts", std::int64_t{1});
    config.set("schedule.explore", std::string("30"));
    config.set("schedule.follow", std::string("30"));
    RunParts parts;
    parts.block = std::make_unique<FiniteBlock>(make_model(config), config.seed);
    // The first row is of the start, before the run; phases have 61 steps, and each begins with the row of its start.
    parts.features = std::make_unique<GoneWrong>(1 + 62 + 11, how);
    const auto run = make_run(config, {}, std::move(parts));
    run->advance();
    try {
      run->advance();
      FAIL() << how;
    } catch (const Error& error) {
      EXPECT_EQ(
          std::string(error.what()).find("features of the observation after step 72 (row 12 of the phase): " + message),
          0u)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace politex
