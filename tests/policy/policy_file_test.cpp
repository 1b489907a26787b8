// Policy files: both forms, the way back, and every refusal.
#include "politex/policy/policy_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

std::string refusal(std::string_view text) {
  try {
    parse_policy(text, "explorer.file", "p.json", 2, 2);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "explorer.file");
    return error.what();
  }
  return "accepted";
}

TEST(PolicyFile, BothFormsGiveRowsOfProbabilities) {
  const std::vector<double> rows = {0.25, 0.75, 1.0, 0.0};
  EXPECT_EQ(parse_policy(R"({"states":2,"actions":2,"policy":[[0.25,0.75],[1,0]]})", "k", "o", 2, 2), rows);
  const std::vector<double> fixed = {0.0, 1.0, 1.0, 0.0};
  EXPECT_EQ(parse_policy(R"({"states":2,"actions":2,"action":[1,0]})", "k", "o", 2, 2), fixed);
}

TEST(PolicyFile, WrittenAndReadToTheBit) {
  Rng rng(5);
  std::vector<double> policy;
  for (int x = 0; x < 50; ++x) {
    const double p = rng.uniform();
    policy.insert(policy.end(), {p / 3.0, 1.0 - p / 3.0});
  }
  EXPECT_EQ(parse_policy(policy_text(policy, 50, 2), "k", "o", 50, 2), policy);
}

TEST(PolicyFile, RefusalsNameTheEntry) {
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal("{"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(refusal("[]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(refusal(R"({"actions":2,"action":[0,0]})"), HasSubstr("needs a whole number \"states\""));
  EXPECT_THAT(refusal(R"({"states":3,"actions":2,"action":[0,0,0]})"),
              HasSubstr("\"states\": 3, but the environment has 2"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2})"), HasSubstr("needs either"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"action":[0,2]})"), HasSubstr("action[1]"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"action":[0,0.5]})"), HasSubstr("action[1]"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"action":[0]})"), HasSubstr("needs 2 entries"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"policy":[[0.5,0.4],[1,0]]})"),
              HasSubstr("policy[0] that sums to 0.9"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"policy":[[0.5,0.5],[2,-1]]})"), HasSubstr("policy[1][0]"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"policy":[[0.5,0.5],[1]]})"), HasSubstr("policy[1]"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"policy":[[0.5,"x"],[1,0]]})"), HasSubstr("policy[0][1]"));
  EXPECT_THAT(refusal(R"({"states":2,"actions":2,"polcy":[]})"), HasSubstr("polcy"));
}

}  // namespace
}  // namespace politex
