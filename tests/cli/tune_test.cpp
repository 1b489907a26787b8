// politex sweep --tune: refused, killed, rerun, enlarged.
#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class TuneTest : public ProgramTest {
 protected:
  std::vector<std::string> sweep(const std::string& out, const std::vector<std::string>& more) {
    const std::string config = given("exp.toml", "steps = 400000\n[environment]\nsize = 5\n");
    std::vector<std::string> all = {"sweep", config, "--seeds", "2", "--quiet", "--out", out};
    all.insert(all.end(), {"algorithm.name=ee_politex,lspi", "eta=0.1,0.2,0.4", "epsilon=0.1,0.2,0.3,0.4"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> tune(const std::string& out, const std::string& count, const std::string& jobs = "1") {
    return sweep(out, {"--tune", count, "--jobs", jobs});
  }

  // Kills the tuning when a run with this seed has started.
  void kill_at(const std::vector<std::string>& arguments, const std::string& out, const std::string& seed) {
    const pid_t child = start(arguments);
    for (int i = 0; i < 30000 && !begun(out, seed); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::kill(child, SIGKILL);
    wait(child);
    ASSERT_TRUE(begun(out, seed));
  }
  bool begun(const std::string& out, const std::string& seed) const {
    for (const std::string& name : runs_in(out))
      if (name.ends_with(",seed=" + seed)) return true;
    return false;
  }
  std::set<std::string> runs_in(const std::string& out) const {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(work_ / out / "runs", error), end; !error && it != end; it.increment(error))
      names.insert(it->path().filename().string());
    return names;
  }

  void expect_stages(const std::string& out) const {
    std::map<std::string, std::string> stages;
    const Json sweep = Json::parse(text_of(work_ / out / "sweep.json"));
    for (const Json& run : sweep["runs"]) stages[run["name"]] = run.value("stage", "none");
    for (const std::string& name : runs_in(out))
      EXPECT_EQ(stages[name], name.ends_with(",seed=1") || name.ends_with(",seed=2") ? "tuning" : "fresh") << name;
  }
  void expect_same(const std::string& one, const std::string& other) const {
    for (const char* name : {"results.csv", "sweep.json", "tuning.csv", "sensitivity.csv"}) {
      EXPECT_NE(text_of(work_ / one / name), "") << name;
      EXPECT_EQ(text_of(work_ / one / name), text_of(work_ / other / name)) << name;
    }
    EXPECT_EQ(runs_in(one), runs_in(other));
  }
};

TEST_F(TuneTest, BadInputIsRefusedBeforeAnythingIsWritten) {
  const auto refused = [&](const std::vector<std::string>& more, const char* words) {
    std::vector<std::string> arguments = {"sweep", given("exp.toml", "steps = 2000\n"), "--out", "s"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr(words));
    EXPECT_TRUE(written().empty());
  };
  refused({"--seeds", "2", "--tune", "3", "eta=0.1,0.2"}, "--tune: 3");
  refused({"--seeds", "2", "--tune", "2", "size=4,5", "eta=0.1,0.2"}, "environment.size: 4, 5");
  refused({"--seeds", "2", "--tune", "2", "steps=1000,2000"}, "steps: 1000, 2000");
  refused({"--seeds", "1001", "--tune", "2", "eta=0.1,0.2"}, "--seeds: 1001");
}

TEST_F(TuneTest, KillingInEitherStageKeepsTheStagesAndTheResults) {
  const Ended whole = run(tune("whole", "2", "2"));
  ASSERT_EQ(whole.status, 0) << whole.err;
  for (const char* seed : {"1", "1001"}) {
    const std::string out = std::string("cut") + seed;
    kill_at(tune(out, "2"), out, seed);
    expect_stages(out);
    // Again in the same directory: the runs of the first attempt are kept.
    kill_at(tune(out, "2"), out, seed);
    expect_stages(out);
    const Ended again = run(tune(out, "2"));
    ASSERT_EQ(again.status, 0) << again.err;
    expect_same("whole", out);
  }
}

TEST_F(TuneTest, ALargerTuningResumesAndASmallerOneIsRefused) {
  ASSERT_EQ(run(tune("t", "1")).status, 0);
  const std::set<std::string> first = runs_in("t");
  const Ended larger = run(tune("t", "3"));
  ASSERT_EQ(larger.status, 0) << larger.err;
  EXPECT_EQ(larger.err.find("another sweep"), std::string::npos) << larger.err;
  expect_stages("t");
  const std::string record = text_of(work_ / "t/sweep.json");
  for (const std::string& name : first) EXPECT_THAT(text_of(work_ / "t/sweep.json"), HasSubstr("\"" + name + "\""));
  for (const Ended& ended : {run(tune("t", "2")), run(sweep("t", {}))}) {
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("--out: t holds a tuning"));
    EXPECT_EQ(text_of(work_ / "t/sweep.json"), record);
  }
}

}  // namespace
}  // namespace politex::cli
