// The files of experiments/ are what is built in, what `politex run` accepts, and what the figures run.
#include "politex/figures/experiments.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"
#include "politex/studies/catalogue.hpp"
#include "record/test_files.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;

const fs::path shipped = fs::path(POLITEX_SOURCE_DIR) / "experiments";

TEST(Experiments, EveryFileIsBuiltInAndValid) {
  std::set<std::string> built_in;
  for (const Experiment& experiment : experiments()) {
    built_in.emplace(experiment.name);
    EXPECT_EQ(experiment.text, bytes_of(shipped / experiment.name)) << experiment.name;
  }
  std::set<std::string> files;
  // Files further below, such as networks of queues, are no experiments.
  for (fs::recursive_directory_iterator it(shipped), end; it != end; ++it)
    if (it.depth() == 1 && it->path().extension() == ".toml")
      files.insert(it->path().lexically_relative(shipped).string());
  EXPECT_EQ(built_in, files);
  for (const std::string& file : files) {
    const ReadConfig read = read_config(shipped / file);
    EXPECT_EQ(read.warnings, std::vector<std::string>{}) << file;
    EXPECT_EQ(bytes_of(shipped / file).substr(0, 2), "# ") << file << " does not say what it is";
  }
}

TEST(Experiments, AChangedFileIsAnotherConfiguration) {
  const std::string text = "steps = 500\n[environment]\nname = \"deep_sea\"\nsize = 7\n";
  const std::vector<std::string> overrides = {"seed=3"};
  const Config config = read_experiment(Experiment{"mine.toml", text}, overrides);
  EXPECT_EQ(config.steps, 500);
  EXPECT_EQ(config.seed, 3U);
  const Config other = read_experiment(Experiment{"mine.toml", text + "lazy = 0.5\n"}, overrides);
  ASSERT_EQ(differences(config, other).size(), 1U);
  EXPECT_EQ(differences(config, other).front(), "environment.lazy: 0.0, 0.5");
  EXPECT_THROW(read_experiment(Experiment{"mine.toml", text + "laazy = 0.5\n"}, {}), ConfigError);
  EXPECT_THROW(read_experiment("deep_sea/fugure.toml"), ConfigError);
}

// No configuration comes from anywhere else: `politex run FILE overrides seed=S` is the same run as the cell.
TEST(Experiments, EveryCellOfEveryFigureIsAFileWithOverrides) {
  for (const Figure& figure : all_figures()) {
    for (const bool quick : {true, false})
      for (const bool compare : {false, true}) {
        FigureOptions options;
        options.quick = quick;
        options.compare = compare;
        options.seeds = 2;
        options.out = "/figure";
        std::set<std::string> names;
        for (const Cell& cell : figure.cells(options)) {
          EXPECT_TRUE(names.insert(cell.name).second) << cell.name << " is the name of two cells";
          EXPECT_TRUE(cell.experiment.starts_with(fmt::format("{}/", figure.name))) << cell.experiment;
          std::vector<std::string> overrides = cell.overrides;
          overrides.push_back(fmt::format("seed={}", cell.seed));
          EXPECT_EQ(differences(read_config(shipped / cell.experiment, overrides).config, config_of(cell)),
                    std::vector<std::string>{})
              << cell.name;
        }
      }
  }
}

TEST(Figures, EveryEntryIsComplete) {
  std::set<std::string_view> names;
  for (const Figure& figure : all_figures()) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    EXPECT_FALSE(figure.help.empty()) << figure.name;
    EXPECT_NE(figure.cells, nullptr) << figure.name;
    EXPECT_NE(figure.report, nullptr) << figure.name;
    EXPECT_TRUE(fs::is_directory(shipped / figure.name)) << figure.name;
  }
}

}  // namespace
}  // namespace politex
