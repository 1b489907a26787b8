// Every explorer with linear and neural learners, on every kind of environment that it fits.
#include "politex/policy/explorer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "politex/base/error.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/neural_run.hpp"

namespace politex {
namespace {

class Explorers : public testing::Test {
 protected:
  Explorers() {
    std::string name = (std::filesystem::temp_directory_path() / "politex-explorers-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~Explorers() override { std::filesystem::remove_all(root_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return (root_ / name).string();
  }
  std::filesystem::path root_;
};

Config linear_config(const std::string& environment, const std::string& explorer) {
  Config config = default_config(environment);
  config.steps = 3000;
  config.set("algorithm.name", "ee_politex");
  config.set("explorer.name", explorer);
  config.set("schedule.rollouts", 2);
  config.set("schedule.explore", 20);
  config.set("schedule.follow", 60);
  return config;
}

Config dqn_config(const std::string& environment) {
  Config config = default_config(environment);
  config.set("algorithm.name", "dqn");
  config.steps = 400;
  config.set("network.hidden", 8);
  config.set("replay.capacity", 500);
  config.set("learner.batch", 8);
  config.set("schedule.phase_steps", 20);
  config.set("actors.environments", 2);
  config.set("actors.threads", 0);
  return config;
}

Summary played(const Config& config) {
  const auto run = make_run(config);
  while (!run->done()) run->advance();
  return run->summary();
}

std::string trained(const Config& config) {
  NeuralRun run(config, block_maker(config));
  while (!run.done()) run.advance();
  return run.policy_file();
}

TEST_F(Explorers, StickyExploresForLinearLearners) {
  for (const char* environment : {"mountain_car", "cartpole_balance", "deep_sea"}) {
    const Summary summary = played(linear_config(environment, "sticky"));
    EXPECT_GT(summary.explorer.steps, 500) << environment;
    EXPECT_EQ(summary.path, "generic");
    EXPECT_NE(summary.signature, played(linear_config(environment, "uniform")).signature);
  }
}

TEST_F(Explorers, TheEnergyPumpExploresForLinearLearners) {
  EXPECT_GT(played(linear_config("cartpole", "energy_pump")).explorer.steps, 500);
  EXPECT_THROW(make_run(linear_config("acrobot", "energy_pump")), ConfigError);
}

TEST_F(Explorers, ANetworkExploresForLinearLearners) {
  Config config = linear_config("cartpole_balance", "file");
  config.set("explorer.file", write("network.safetensors", trained(dqn_config("cartpole_balance"))));
  EXPECT_GT(played(config).explorer.steps, 500);
  config.set("environment.name", "acrobot");
  EXPECT_THROW(make_run(config), ConfigError);
}

TEST_F(Explorers, ANetworkOfAFiniteEnvironmentKeepsTheFastPath) {
  Config config = linear_config("river_swim", "file");
  config.set("explorer.file", write("network.safetensors", trained(dqn_config("river_swim"))));
  const Summary compiled = played(config);
  EXPECT_EQ(compiled.path, "compiled");
  EXPECT_EQ(compiled.finite->regret, compiled.finite->regret);  // known
}

TEST_F(Explorers, APolicyFileServesLinearAndNeuralLearners) {
  const std::string file = write("x.policy", R"({"states": 6, "actions": 2, "action": [1, 1, 1, 1, 1, 1]})");
  Config config = linear_config("river_swim", "file");
  config.set("explorer.file", file);
  EXPECT_EQ(played(config).signature, [&] {
    Config always = linear_config("river_swim", "always");
    always.set("explorer.action", 1);
    return played(always).signature;
  }());
  Config neural = dqn_config("river_swim");
  neural.set("algorithm.name", "neural_ee_politex");
  neural.set("explorer.name", "file");
  neural.set("explorer.file", file);
  neural.set("schedule.explore", 10);
  const Summary summary = played(neural);
  EXPECT_GT(summary.explorer.steps, 50);
}

TEST_F(Explorers, WithoutATableTheRegretOfAFiniteRunIsNotKnown) {
  Config config = linear_config("deep_sea", "sticky");
  const Summary summary = played(config);
  ASSERT_TRUE(summary.finite);
  EXPECT_NE(summary.finite->regret, summary.finite->regret);  // NaN
  ASSERT_FALSE(summary.warnings.empty());
  config.set("algorithm.path", "compiled");
  EXPECT_THROW(make_run(config), ConfigError);
}

TEST_F(Explorers, OptimalNeedsAFiniteEnvironment) {
  EXPECT_EQ(played(linear_config("river_swim", "optimal")).path, "compiled");
  EXPECT_THROW(make_run(linear_config("mountain_car", "optimal")), ConfigError);
}

TEST(Schedule, LengthsAreMultiplesOfTheTimeLimitWhereStatesAreNotFinite) {
  Config config = linear_config("mountain_car", "uniform");
  config.set("schedule.explore", "N/4");  // 50 of 200
  config.set("schedule.follow", "N/2");
  const Summary summary = played(config);
  EXPECT_EQ(summary.phases, 3000 / 302 + 1);
  EXPECT_EQ(summary.explorer.steps, 9 * 100 + 50 + 50);
}

}  // namespace
}  // namespace politex
