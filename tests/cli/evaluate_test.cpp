// politex evaluate and politex policy export: the keys that scripts rely on, and what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Evaluate : public ProgramTest {
 protected:
  Json answered(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "evaluate");
    arguments.emplace_back("--json");
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return Json::parse(ended.out, nullptr, false);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& expected) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_EQ(ended.out, "");
    for (const std::string& part : expected) EXPECT_THAT(ended.err, HasSubstr(part));
  }
};

TEST_F(Evaluate, IsExactOnFiniteEnvironments) {
  const Json found = answered({"always:1", "river_swim", "size=6", "--against", "uniform"});
  EXPECT_EQ(found["method"], "exact");
  EXPECT_EQ(found["steps"], 0);
  const Json exact = Json::parse(run({"exact", "river_swim", "size=6", "--policy", "always:1", "--json"}).out);
  EXPECT_NEAR(found["average_cost"].get<double>(), exact["gain"].get<double>(), 1e-12);
  EXPECT_EQ(found["verdict"], "better");
  EXPECT_LT(found["difference"].get<double>(), 0.0);
  EXPECT_EQ(found["difference_interval"].size(), 2U);
}

TEST_F(Evaluate, TakesHeuristicsByName) {
  for (const char* name : {"c_mu", "threshold:3", "heuristic:c_mu"}) {
    const Json found = answered({name, "n_model", "buffer=6"});
    const std::string same = std::string(name).starts_with("heuristic:") ? "c_mu" : name;
    const Json exact = Json::parse(run({"exact", "n_model", "buffer=6", "--policy", same, "--json"}).out);
    EXPECT_NEAR(found["average_cost"].get<double>(), exact["gain"].get<double>(), 1e-9) << name;
  }
}

TEST_F(Evaluate, SimulatesTheSameNumbersOnAnyNumberOfThreads) {
  const std::vector<std::string> words = {"uniform", "river_swim", "--simulate", "--steps",
                                          "400000",  "--against",  "always:1",   "--jobs"};
  std::vector<std::string> one = words, three = words;
  one.emplace_back("1");
  three.emplace_back("3");
  const Json found = answered(one);
  EXPECT_EQ(found, answered(three));
  EXPECT_GE(found["steps"], 400'000);
  EXPECT_EQ(found["verdict"], "worse");
  const double gain = answered({"uniform", "river_swim"})["average_cost"].get<double>();
  EXPECT_NEAR(found["average_cost"].get<double>(), gain, 0.01);
}

TEST_F(Evaluate, SaysTooShortInsteadOfAnInterval) {
  const Json found = answered({"uniform", "river_swim", "--simulate", "--steps", "1000", "--against", "always:1"});
  EXPECT_TRUE(found["interval"].is_null());
  EXPECT_EQ(found["verdict"], "not_yet");
  EXPECT_THAT(found["notes"].dump(), HasSubstr("too short"));
}

TEST_F(Evaluate, ReadsRunsAndExportsTheirPolicies) {
  ASSERT_EQ(
      run({"run", given("a.toml", "steps = 20000\n[environment]\nsize = 5\n"), "--out", "mine", "--quiet"}).status, 0);
  const Json found = answered({"mine", "deep_sea", "size=5", "--against", "uniform"});
  const Json summary = Json::parse(text_of(work_ / "mine" / "summary.json"));
  EXPECT_NEAR(found["average_cost"].get<double>(), summary["final_policy"]["gain_from_start"].get<double>(), 1e-9);
  expect_refused({"evaluate", "mine", "deep_sea", "size=6"}, {"POLICY", "the environment has 36"});
  ASSERT_EQ(run({"policy", "export", "mine", "--to", "csv", "--out", "policy.csv"}).status, 0);
  EXPECT_THAT(text_of(work_ / "policy.csv"), HasSubstr("state,action,probability_0,probability_1\n0,"));
  ASSERT_EQ(run({"policy", "export", "mine", "--to", "c", "--out", "policy.h"}).status, 0);
  EXPECT_THAT(text_of(work_ / "policy.h"), HasSubstr("#define POLITEX_STATES 25"));
  expect_refused({"policy", "export", "mine", "--to", "pdf", "--out", "x"}, {"--to", "accepted: csv, thresholds, c"});
  expect_refused({"policy", "export", "nothing", "--to", "c", "--out", "x"}, {"POLICY", "\"nothing\" does not exist"});
}

TEST_F(Evaluate, RefusesRunsOfAnotherEnvironment) {
  ASSERT_EQ(run({"run", given("a.toml", "steps = 2000\n[environment]\nsize = 3\n"), "--out", "sea", "--quiet"}).status,
            0);
  // As many states and actions, but of another problem.
  expect_refused({"evaluate", "sea", "river_swim", "size=9"},
                 {"POLICY", "\"deep_sea\"", "accepted: one of \"river_swim\""});
  expect_refused({"evaluate", "uniform", "river_swim", "size=9", "--against", "sea"}, {"--against", "\"deep_sea\""});
}

TEST_F(Evaluate, TheGuardActsOnEnvironmentsThatAreNotFinite) {
  const std::vector<std::string> words = {"always:0", "cartpole_balance", "--steps", "40000"};
  std::vector<std::string> guarded = words;
  guarded.insert(guarded.end(), {"guard.incumbent=always:1", "guard.coordinate=2", "guard.limit=0"});
  // Pushing to where the pole leans holds it up longer; costs are rewards of -1 per step.
  EXPECT_GT(answered(words)["average_cost"].get<double>(), answered(guarded)["average_cost"].get<double>() + 0.02);
  const Ended always_on =
      run({"evaluate", "uniform", "cartpole_balance", "guard.incumbent=always:0", "guard.limit=-100"});
  EXPECT_EQ(always_on.status, 1);
  EXPECT_THAT(always_on.err, HasSubstr("the guard is always on"));
}

TEST_F(Evaluate, RefusesBadInput) {
  expect_refused({"evaluate", "unifrm", "river_swim"}, {"POLICY", "did you mean \"uniform\"?"});
  expect_refused({"evaluate", "uniform", "river_swim", "--against", "always:7"}, {"--against", "7 is not an action"});
  expect_refused({"evaluate", "uniform", "river_swm"}, {"environment.name", "did you mean \"river_swim\"?"});
  expect_refused({"evaluate", "uniform", "river_swim", "eta=1"}, {"algorithm.eta", "has no effect here"});
  expect_refused({"evaluate", "uniform", "river_swim", "--steps", "0"}, {"--steps", "a whole number, 1 to"});
  expect_refused({"evaluate", "uniform", "river_swim", "--alpha", "2"}, {"--alpha", "0.000001 to 0.5"});
  expect_refused({"evaluate", "uniform", "cartpole", "--log", "x.csv"}, {"--log", "no such file"});
  const std::string log = given("log.csv", "state,action,cost,next,propensity\n0,0,1,0,0.5\n0,1,1,1,0\n");
  expect_refused({"evaluate", "uniform", "river_swim", "--log", log}, {"log.csv:3: propensity \"0\""});
  const std::string few = given("few.csv", "state,action,cost,next\n0,0,1,0\n");
  expect_refused({"evaluate", "uniform", "river_swim", "--log", few}, {"few.csv does not cover the policy"});
  fs::create_directory(work_ / "empty");
  expect_refused({"evaluate", "empty", "river_swim"}, {"POLICY", "without a run"});
}

}  // namespace
}  // namespace politex::cli
