#include "politex/evaluate/policy_export.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "politex/base/error.hpp"
#include "politex/policy/policy_file.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

PolicyTable table(std::vector<double> p, int actions) {
  PolicyTable out(static_cast<int>(p.size()) / actions, actions);
  out.set(p);
  return out;
}

const std::vector<double> three = {0.7, 0.2, 0.1, 0.0, 1.0, 0.0, 0.25, 0.25, 0.5, 0.1, 0.1, 0.8};

TEST(PolicyExport, CsvHasOneLinePerState) {
  EXPECT_EQ(policy_csv(table({0.75, 0.25, 0.0, 1.0}, 2)),
            "state,action,probability_0,probability_1\n0,0,0.75,0.25\n1,1,0,1\n");
}

TEST(PolicyExport, ThresholdsAreRangesOfStates) {
  EXPECT_EQ(policy_thresholds(table({1, 0, 1, 0, 0, 1}, 2)), "from_state,to_state,action\n0,1,0\n2,2,1\n");
  try {
    policy_thresholds(table({1, 0, 0, 1, 1, 0}, 2));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("action 0 comes back at state 2"));
  }
}

TEST(PolicyExport, ReadsTheSizesOfTheFile) {
  const fs::path directory = fs::temp_directory_path() / "politex_policy_export_test";
  fs::create_directories(directory);
  std::ofstream(directory / "final.policy") << policy_text(three, 4, 3);
  const PolicyTable read = read_exported_table(directory.string());
  EXPECT_EQ(read.states(), 4);
  EXPECT_EQ(read.actions(), 3);
  std::ofstream(directory / "other") << "[1, 2]";
  EXPECT_THROW(read_exported_table((directory / "other").string()), ConfigError);
  EXPECT_THROW(read_exported_table((directory / "missing").string()), ConfigError);
  fs::remove_all(directory);
}

// The header is compiled as C and its actions are compared with the table's, for every state and many draws.
TEST(PolicyExport, TheHeaderChoosesTheSameActions) {
  ASSERT_EQ(std::system("cc --version > /dev/null 2>&1"), 0) << "there is no C compiler; Debian: gcc";
  const fs::path directory = fs::temp_directory_path() / "politex_policy_header_test";
  fs::create_directories(directory);
  const PolicyTable policy = table(three, 3);
  std::ofstream(directory / "policy.h") << policy_c_header(policy);
  std::ofstream(directory / "main.c") << R"(#include <stdio.h>
#include "policy.h"
int main(void) {
  for (int x = 0; x < POLITEX_STATES; ++x) {
    printf("%d", politex_action(x));
    for (int k = 0; k < 64; ++k) printf(" %d", politex_sample(x, k / 64.0));
    printf("\n");
  }
  return 0;
}
)";
  const std::string at = directory.string();
  ASSERT_EQ(
      std::system(
          fmt::format("cc -std=c99 -Wall -Wextra -Werror -o {0}/main {0}/main.c && {0}/main > {0}/out", at).c_str()),
      0);
  std::string expected;
  for (int x = 0; x < 4; ++x) {
    const auto row = policy.probabilities(x);
    expected += fmt::format("{}", std::ranges::max_element(row) - row.begin());
    const std::span<const double> cumulative(policy.cumulative() + 2 * x, 2);
    for (int k = 0; k < 64; ++k)
      expected += fmt::format(" {}", pick_action(cumulative, std::bit_cast<std::uint64_t>(k / 64.0)));
    expected += "\n";
  }
  std::ifstream in(directory / "out");
  std::stringstream found;
  found << in.rdbuf();
  EXPECT_EQ(found.str(), expected);
  fs::remove_all(directory);
}

}  // namespace
}  // namespace politex
