// The files that a run reads, and that a change of any of them is noticed by its key.
#include "politex/run/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "politex/base/error.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(Inputs, AChangeOfAnyFileIsReportedWithItsKey) {
  std::string name = (fs::temp_directory_path() / "politex-inputs-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  const auto write = [&](const char* file, const std::string& text) {
    std::ofstream(root / file, std::ios::binary) << text;
    return (root / file).string();
  };
  Config config;
  EXPECT_EQ(inputs_text(config), "");  // DeepSea reads none
  EXPECT_NO_THROW(check_inputs(root, config));
  config.set("environment.name", "finite_mdp");
  config.set("environment.file", write("environment", "a"));
  config.set("explorer.name", "file");
  config.set("explorer.file", write("explorer", "b"));
  config.set("features.name", "file");
  config.set("features.file", write("features", "c"));
  write(inputs_file, inputs_text(config));
  EXPECT_NO_THROW(check_inputs(root, config));
  for (const auto& [file, key] :
       {std::pair{"environment", "environment.file"}, {"explorer", "explorer.file"}, {"features", "features.file"}}) {
    const std::ifstream in(root / file, std::ios::binary);
    const std::string before = (std::ostringstream() << in.rdbuf()).str();
    write(file, before + "!");
    try {
      check_inputs(root, config);
      ADD_FAILURE() << file;
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr(key));
    }
    write(file, before);
    EXPECT_NO_THROW(check_inputs(root, config));
  }
  write("environment", "another");
  write(inputs_file, "");  // as a loss of power leaves it
  EXPECT_NO_THROW(check_inputs(root, config));
  fs::remove_all(root);
}

}  // namespace
}  // namespace politex
