// politex evaluate and politex policy export: the keys that scripts rely on, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "politex/base/rng.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/config.hpp"

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

/// A log of the uniform policy, as somebody else's program would write it.
std::string observation_log(const std::string& environment, int steps) {
  const Config config = default_config(environment);
  const auto block = environment_of(config).block(config.values, {.seed = 1});
  const auto numbers = block->space().numbers();
  const auto actions = static_cast<std::uint64_t>(block->space().actions);
  std::vector<double> seen(numbers);
  std::string text = "action,cost,propensity";
  for (std::size_t k = 0; k < numbers; ++k) text += fmt::format(",observation_{0},next_{0}", k);
  Rng rng(1);
  for (int t = 0; t < steps; ++t) {
    block->observe(0, seen);
    const std::vector<double> before = seen;
    const auto action = static_cast<Action>(rng.below(actions));
    StepResult result;
    block->step(0, {&action, 1}, {&result, 1});
    block->observe(0, seen);
    text += fmt::format("\n{},{},{}", action, result.cost, 1.0 / static_cast<double>(actions));
    for (std::size_t k = 0; k < numbers; ++k) text += fmt::format(",{},{}", before[k], seen[k]);
  }
  return text + "\n";
}

TEST_F(Evaluate, ReadsLogsOfObservations) {
  const std::string log = given("seen.csv", observation_log("cartpole_balance", 10'000));
  const auto with = [&](std::vector<std::string> words, const std::string& policy) {
    words.insert(words.begin(), {policy, "cartpole_balance", "--log", log});
    return words;
  };
  const Json found = answered(with({"features.name=fourier", "features.order=1"}, "uniform"));
  EXPECT_EQ(found["method"], "fitted_q");
  EXPECT_EQ(found["steps"], 10'000);
  EXPECT_EQ(found["interval"].size(), 2U);
  // A simulation is the oracle: -.955.
  const double simulated = answered({"uniform", "cartpole_balance", "--steps", "200000"})["average_cost"].get<double>();
  EXPECT_NEAR(found["average_cost"].get<double>(), simulated, 0.02);
  // Other features are another fit.
  const Json other = answered(with({"features.name=polynomial", "--against", "uniform"}, "uniform"));
  EXPECT_NE(other["average_cost"], found["average_cost"]);
  EXPECT_NEAR(other["average_cost"].get<double>(), simulated, 0.02);
  EXPECT_EQ(other["verdict"], "not_yet");
  // Always to the left is soon where the uniform policy hardly ever is.
  std::vector<std::string> far = with({"features.name=polynomial"}, "always:0");
  far.insert(far.begin(), "evaluate");
  expect_refused(far, {"seen.csv does not cover the policy"});
}

TEST_F(Evaluate, NamesTheLineOfALogOfObservations) {
  const std::string header = "observation_0,observation_1,action,cost,next_0,next_1,propensity\n",
                    good = "-0.5,0.01,2,1,-0.49,0.011,0.5\n";
  const auto refused = [&](const std::string& text, const std::vector<std::string>& expected) {
    expect_refused({"evaluate", "uniform", "mountain_car", "--log", given("seen.csv", text)}, expected);
  };
  refused(header + good + "-0.5,0.01,2,1,-0.49,nan,0.5\n", {"--log", "seen.csv:3: next_1 \"nan\"", "a finite number"});
  refused(header + good + "-0.5,here,2,1,-0.49,0,0.5\n", {"seen.csv:3: observation_1 \"here\" is not a number"});
  refused(header + good + good + "-0.5,0,3,1,-0.49,0,0.5\n", {"seen.csv:4: action \"3\"", "accepted: 0 to 2"});
  refused(header + "-0.5,0,2,inf,-0.49,0,0.5\n", {"seen.csv:2: cost \"inf\""});
  refused(header + "-0.5,0,2,1,-0.49,0,0\n", {"seen.csv:2: propensity \"0\"", "above 0 and at most 1"});
  refused(header + "-0.5,0,2,1,-0.49,0\n", {"seen.csv:2: 6 values, but the first line has 7 columns"});
  refused("observation_0,action,cost,next_0,next_1\n",
          {"seen.csv:1:", "no column \"observation_1\"", "next_0 to next_1"});
  refused("state,action,cost,next\n0,0,0,0\n", {"seen.csv:1:", "no column \"observation_0\""});
  refused(header, {"seen.csv: has no lines after the first"});
  refused(header + good + good, {"seen.csv does not cover the policy"});
  // What has no effect is refused too.
  expect_refused({"evaluate", "uniform", "river_swim", "--log", given("log.csv", "state,action,cost,next\n0,0,0,0\n"),
                  "features.name=tiles"},
                 {"features.name", "whose states are listed"});
  expect_refused({"evaluate", "uniform", "mountain_car", "features.name=tiles"}, {"features.name", "with --log"});
}

TEST_F(Evaluate, ATableForObservationsIsNamed) {
  ASSERT_EQ(run({"run", given("a.toml", "steps = 2000\n[environment]\nsize = 3\n"), "--out", "sea", "--quiet"}).status,
            0);
  expect_refused({"evaluate", "sea/final.policy", "cartpole_balance"},
                 {"POLICY: \"sea/final.policy\" is not a network but a table over listed states", "cartpole_balance",
                  "accepted: a file that politex explore wrote, or the network.safetensors of a run"});
  expect_refused({"evaluate", "uniform", "cartpole_balance", "--against", given("empty.policy", "")},
                 {"--against: ", "empty.policy\" is not a network,"});
  const std::string cut = given("cut.safetensors", std::string("\x10\0\0\0\0\0\0\0{", 9));
  expect_refused({"evaluate", cut, "cartpole_balance"},
                 {"POLICY: \"", "cut.safetensors\" is not a network file: its header is cut off"});
  expect_refused({"policy", "export", cut, "--to", "onnx", "--out", "x"},
                 {"POLICY: \"", "cut.safetensors\" is not a network file"});
}

// A run whose policy is not a table over listed states has no final.policy: its last state is read, and where there is
// none its newest checkpoint.
TEST_F(Evaluate, ReadsRunsWithoutAPolicyFile) {
  const std::string file = given("a.toml",
                                 "steps = 20000\n[environment]\nname = \"cartpole_balance\"\n[algorithm]\nname = "
                                 "\"politex\"\n[features]\nname = \"tiles\"\n");
  ASSERT_EQ(run({"run", file, "--out", "pole", "--quiet"}).status, 0);
  ASSERT_FALSE(fs::exists(work_ / "pole" / "final.policy"));
  const std::vector<std::string> words = {"pole", "cartpole_balance", "--steps", "40000", "--against", "uniform"};
  const Json found = answered(words);
  EXPECT_EQ(found["verdict"], "better");
  expect_refused({"evaluate", "pole", "acrobot"}, {"POLICY", "a run of \"cartpole_balance\""});
  expect_refused({"policy", "export", "pole", "--to", "csv", "--out", "x"},
                 {"POLICY", "final.policy\" does not exist"});
  fs::remove(work_ / "pole" / "final.checkpoint");
  fs::remove_all(work_ / "pole" / "checkpoint");
  expect_refused({"evaluate", "pole", "cartpole_balance"}, {"POLICY", "\"pole\" has no checkpoint", "a policy file"});
}

TEST_F(Evaluate, ARunOnListedStatesThatLostItsPolicyIsRefused) {
  ASSERT_EQ(
      run({"run", given("a.toml", "steps = 20000\n[environment]\nsize = 5\n"), "--out", "mine", "--quiet"}).status, 0);
  fs::remove(work_ / "mine" / "final.policy");
  fs::remove_all(work_ / "mine" / "checkpoint");
  expect_refused({"evaluate", "mine", "deep_sea", "size=5"}, {"POLICY", "\"mine\" has no checkpoint", "a policy file"});
}

// Exported, evaluated from either file, and refused for another environment.
TEST_F(Evaluate, ExportsNetworksAsSafetensors) {
  const std::string file = given("a.toml",
                                 "steps = 1500\n[environment]\nname = \"cartpole_balance\"\n[algorithm]\nname = "
                                 "\"neural_politex\"\n[network]\nhidden = 8\n[replay]\ncapacity = 1000\n"
                                 "[schedule]\nphase_steps = 50\n");
  const Ended ran = run({"run", file, "--out", "net", "--quiet"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  ASSERT_EQ(run({"policy", "export", "net", "--to", "safetensors", "--out", "net.safetensors"}).status, 0);
  EXPECT_EQ(text_of(work_ / "net.safetensors"), text_of(work_ / "net" / "network.safetensors"));
  const Json of_run = answered({"net", "cartpole_balance", "--steps", "20000"}),
             of_file = answered({"net.safetensors", "cartpole_balance", "--steps", "20000"});
  EXPECT_EQ(of_run["average_cost"], of_file["average_cost"]);
  expect_refused({"evaluate", "net.safetensors", "acrobot"}, {"POLICY: \"net.safetensors\" is", "accepted: "});
  expect_refused({"policy", "export", "net", "--to", "csv", "--out", "x"}, {"POLICY", "does not exist"});
  expect_refused({"policy", "export", "nothing", "--to", "safetensors", "--out", "x"},
                 {"POLICY", "does not exist", "the directory of a run with networks"});
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
