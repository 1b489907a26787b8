#include "politex/run/shipped.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

TEST(Shipped, ExperimentsAreFoundByNameAndByPath) {
  for (const Experiment& one : experiments()) {
    const std::string name(one.name);
    EXPECT_EQ(find_experiment(name), &one);
    EXPECT_EQ(find_experiment("experiments/" + name), &one);
    EXPECT_EQ(find_experiment("./experiments/" + name), &one);
  }
  EXPECT_EQ(find_experiment("deep_sea/tunde.toml"), nullptr);
  EXPECT_EQ(find_experiment("/experiments/deep_sea/tuned.toml"), nullptr);
}

TEST(Shipped, ConfigurationsNeedNoFileAndAFileWins) {
  const fs::path before = fs::current_path();
  const fs::path place = fs::path(testing::TempDir()) / "shipped_test";
  fs::remove_all(place);
  fs::create_directories(place / "experiments/deep_sea");
  fs::current_path(place);
  const std::vector<std::string> seed{"seed=7"};
  const Config shipped = read_config("experiments/deep_sea/tuned.toml", seed).config;
  EXPECT_EQ(shipped.seed, 7U);
  EXPECT_EQ(to_toml(read_config("deep_sea/tuned.toml", seed).config), to_toml(shipped));
  std::ofstream("experiments/deep_sea/tuned.toml") << "steps = 123\n";
  EXPECT_EQ(read_config("experiments/deep_sea/tuned.toml").config.steps, 123);
  EXPECT_THROW(read_config("experiments/deep_sea/tunde.toml"), ConfigError);
  fs::current_path(before);
  fs::remove_all(place);
}

TEST(Shipped, RelativeFilesAreTakenFromHere) {
  const Config config = read_config("ms_pacman/ee_politex.toml").config;
  EXPECT_THAT(to_toml(config), testing::HasSubstr((fs::current_path() / "explorer.policy").string()));
}

}  // namespace
}  // namespace politex
