// politex run, exact and list with the real program.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class RunTest : public ProgramTest {
 protected:
  std::string config() { return given("exp.toml", "steps = 20000\nseed = 3\n[environment]\nsize = 5\n"); }
  static Json without_times(const std::string& text) {
    Json json = Json::parse(text);
    json.erase("seconds");
    json.erase("steps_per_second");
    return json;
  }
};

TEST_F(RunTest, WithoutOutANumberedDirectoryIsCreated) {
  EXPECT_EQ(run({"run", config(), "--quiet"}).status, 0);
  EXPECT_EQ(run({"run", config(), "--quiet"}).status, 0);
  EXPECT_EQ(run({"run", config(), "seed=4", "--quiet"}).status, 0);
  for (const char* name : {"given-exp-3", "given-exp-3-2", "given-exp-4"})
    for (const char* file : {"config.toml", "summary.json", "progress.csv", "timing.csv", "log.txt"})
      EXPECT_TRUE(fs::exists(work_ / "results" / name / file)) << name << file;
  EXPECT_EQ(text_of(work_ / "results/given-exp-3/progress.csv"), text_of(work_ / "results/given-exp-3-2/progress.csv"));
  EXPECT_NE(text_of(work_ / "results/given-exp-3/progress.csv"), text_of(work_ / "results/given-exp-4/progress.csv"));
}

TEST_F(RunTest, JsonIsOneObjectAndWritesNothing) {
  const Ended ended = run({"run", config(), "--json"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(written().empty());
  const Json json = Json::parse(ended.out);
  for (const char* key : {"steps", "seed", "environment", "algorithm", "average_cost", "average_cost_last_tenth",
                          "segments", "phases", "seconds", "steps_per_second", "signature", "build", "optimal_gain",
                          "final_policy", "regret", "regret_to_gain", "regret_terms"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["steps"], 20000);
  EXPECT_EQ(json["signature"].get<std::string>().size(), 16u);
  double terms = 0.0;
  for (const char* name : {"E", "PR", "V", "W", "V_explore", "W_explore"})
    terms += json["regret_terms"][name].get<double>();
  EXPECT_NEAR(terms, json["regret"].get<double>(), 1e-6 * std::abs(json["regret"].get<double>()) + 1e-6);
}

TEST_F(RunTest, TheResolvedConfigurationGivesTheSameBits) {
  ASSERT_EQ(run({"run", config(), "eta=0.3", "--out", "a"}).status, 0);
  ASSERT_EQ(run({"run", "a/config.toml", "--out", "b"}).status, 0);
  EXPECT_EQ(text_of(work_ / "a/progress.csv"), text_of(work_ / "b/progress.csv"));
  EXPECT_EQ(text_of(work_ / "a/config.toml"), text_of(work_ / "b/config.toml"));
  EXPECT_EQ(without_times(text_of(work_ / "a/summary.json")), without_times(text_of(work_ / "b/summary.json")));
}

TEST_F(RunTest, ADirectoryWithARunIsRefusedAndResumingAFinishedRunPrintsItsSummary) {
  ASSERT_EQ(run({"run", config(), "--out", "a"}).status, 0);
  const Ended again = run({"run", config(), "--out", "a"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("politex run --resume a"));
  const Ended resumed = run({"run", "--resume", "a", "--json"});
  EXPECT_EQ(resumed.status, 0);
  EXPECT_EQ(resumed.out, text_of(work_ / "a/summary.json"));
}

TEST_F(RunTest, AFileSizeLimitIsReported) {
  const Ended ended = run({"run", config(), "steps=100000000", "--out", "a", "--quiet"}, 300'000);
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("a/progress.csv: cannot be written: File too large"));
  EXPECT_THAT(ended.err, HasSubstr("to resume when there is space: politex run --resume a"));
}

TEST_F(RunTest, AFullDiskIsReported) {
  const fs::path disk = work_ / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0) GTEST_SKIP() << "this test needs to mount a tmpfs";
  const Ended ended = run({"run", config(), "steps=1000000000000", "--out", "disk/a", "--quiet"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
  ::umount(disk.c_str());
}

TEST_F(RunTest, AReadOnlyDirectoryIsReported) {
  const fs::path disk = work_ / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", MS_RDONLY, "size=512k") != 0)
    GTEST_SKIP() << "this test needs to mount a tmpfs";
  const Ended ended = run({"run", config(), "--out", "disk/a"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("disk/a: cannot be created: Read-only file system"));
  ::umount(disk.c_str());
}

TEST_F(RunTest, ExactJsonHasAllKeys) {
  const Ended ended = run({"exact", "deep_sea", "size=10", "--json"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["states"], 100);
  EXPECT_EQ(json["actions"], 2);
  EXPECT_NEAR(json["optimal_gain"].get<double>(), -1.5, 1e-12);
  EXPECT_NEAR(json["gain"].get<double>(), -1.5, 1e-12);
  for (const char* key : {"gain_by_state", "optimal_gain_by_state", "optimal_policy", "stationary", "bias"})
    EXPECT_EQ(json[key].size(), 100u) << key;
  EXPECT_TRUE(json["kappa"].is_null());
  EXPECT_EQ(json["a1"], "no");
  for (const char* key : {"unichain", "period", "kappa_policy", "sigma", "sigma_on_span", "sigma_a3"})
    EXPECT_TRUE(json.contains(key)) << key;
  // Always-1 collects 1 + 1/N per step, always-0 nothing.
  EXPECT_NEAR(
      Json::parse(run({"exact", "deep_sea", "size=10", "--policy", "always:1", "--json"}).out)["gain"].get<double>(),
      -1.1, 1e-12);
  EXPECT_NEAR(
      Json::parse(run({"exact", "deep_sea", "size=10", "--policy", "uniform", "--json"}).out)["gain"].get<double>(),
      0.5 - 0.2 - 0.005, 1e-12);
  const std::string policy = given("p.json", R"({"states":4,"actions":2,"action":[1,1,1,1]})");
  EXPECT_NEAR(Json::parse(run({"exact", "deep_sea", "size=2", "--policy", policy, "--json"}).out)["gain"].get<double>(),
              -1.5, 1e-12);
  EXPECT_THAT(run({"exact", "river_swim"}).out, HasSubstr("6 states"));
}

TEST_F(RunTest, HelpVersionAndListGoToStandardOutput) {
  for (const char* command : {"run", "exact", "list", "reproduce"}) {
    const Ended help = run({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("Examples:\n  politex " + std::string(command)));
    EXPECT_EQ(help.err, "");
  }
  EXPECT_THAT(run({"--version"}).out, HasSubstr("politex "));
  EXPECT_THAT(run({"list", "algorithms"}).out, HasSubstr("algorithm.eta"));
  EXPECT_TRUE(Json::parse(run({"list", "--json"}).out).contains("keys"));
  EXPECT_THAT(run({"list", "experiments"}).out, HasSubstr("deep_sea/tuned.toml"));
}

TEST_F(RunTest, OutputThatCannotBeWrittenIsAFailure) {
  for (const char* words : {"--version", "--help", "list"}) {
    const std::string command =
        std::string(POLITEX_PROGRAM) + " " + words + " >/dev/full 2>" + (root_ / "err").string();
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << words;
    EXPECT_THAT(text_of(root_ / "err"), HasSubstr("standard output cannot be written")) << words;
  }
}

TEST_F(RunTest, BuildsAreToldApart) {
  const std::string text = run({"--version"}).out;
  EXPECT_THAT(text, ::testing::ContainsRegex("build [0-9a-f]{12};"));
  ASSERT_EQ(run({"run", config(), "--out", "a", "--quiet"}).status, 0);
  const std::string id = Json::parse(text_of(work_ / "a/summary.json"))["build"]["id"];
  EXPECT_THAT(text, HasSubstr(id));
}

TEST_F(RunTest, ExploreOverwritesNothingAndResumes) {
  const std::string file = config();
  const std::vector<std::string> explore = {"explore", file, "explorer.name=learned", "--quiet", "--out", "my.policy"};
  ASSERT_EQ(run(explore).status, 0);
  const std::string policy = text_of(work_ / "my.policy");
  EXPECT_NE(policy, "");
  EXPECT_FALSE(fs::exists(work_ / "my.policy.run"));
  const Ended again = run(explore);
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("my.policy exists already"));
  EXPECT_EQ(text_of(work_ / "my.policy"), policy);
  // Interrupted, the same command resumes.
  std::vector<std::string> longer = explore;
  longer.back() = "long.policy";
  longer.insert(longer.begin() + 2, "steps=1000000000000");
  const pid_t child = start(longer);
  // A first phase is complete when its row is there, below the names of the columns.
  const auto rows = [&] { return std::ranges::count(text_of(work_ / "long.policy.run/progress.csv"), '\n'); };
  while (rows() < 2) ::usleep(10'000);
  ::kill(child, SIGTERM);
  const Ended stopped = wait(child);
  EXPECT_EQ(stopped.status, 128 + SIGTERM);
  EXPECT_THAT(stopped.err, HasSubstr("to resume, rerun the same command"));
  EXPECT_FALSE(fs::exists(work_ / "long.policy"));
  const pid_t next = start(longer);
  for (int i = 0; i < 1000; ++i) {
    if (text_of(work_ / "long.policy.run/log.txt").find("resumed after") != std::string::npos) break;
    ::usleep(10'000);
  }
  ::kill(next, SIGTERM);
  EXPECT_EQ(wait(next).status, 128 + SIGTERM);
  EXPECT_THAT(text_of(work_ / "long.policy.run/log.txt"), ::testing::ContainsRegex("resumed after [1-9][0-9]* steps"));
}

}  // namespace
}  // namespace politex::cli
