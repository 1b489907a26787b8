// Runs of the real program that are killed, stopped, damaged, locked or on a full disk end with the same bytes.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class ResumeTest : public ProgramTest {
 protected:
  static constexpr const char* steps = "steps = 1500000\n";

  std::string config() { return given("exp.toml", std::string(steps) + "[environment]\nsize = 5\n"); }
  std::string long_config() { return given("long.toml", "steps = 1_000_000_000_000\n[environment]\nsize = 5\n"); }

  void expect_same_run(const fs::path& a, const fs::path& b) const {
    EXPECT_EQ(text_of(a / "progress.csv"), text_of(b / "progress.csv"));
    EXPECT_EQ(text_of(a / "pictures.jsonl"), text_of(b / "pictures.jsonl"));
    EXPECT_NE(text_of(a / "pictures.jsonl"), "");
    Json left = Json::parse(text_of(a / "summary.json"));
    Json right = Json::parse(text_of(b / "summary.json"));
    for (Json* json : {&left, &right}) {
      json->erase("seconds");
      json->erase("steps_per_second");
    }
    EXPECT_EQ(left, right);
  }

  static void sleep_ms(int count) { std::this_thread::sleep_for(std::chrono::milliseconds(count)); }

  // Waits until the run has written a checkpoint.
  void wait_for_checkpoint(const fs::path& run) const {
    for (int i = 0; i < 3000; ++i, sleep_ms(10)) {
      std::error_code error;
      for (fs::directory_iterator it(run / "checkpoint", error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".checkpoint") return;
    }
    FAIL() << "no checkpoint";
  }

  // The name of the newest checkpoint, which contains its steps; empty if there is none.
  static std::string newest_checkpoint(const fs::path& run) {
    std::string newest;
    std::error_code error;
    for (fs::directory_iterator it(run / "checkpoint", error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == ".checkpoint") newest = std::max(newest, it->path().filename().string());
    return newest;
  }
  // Gives up after three seconds, because a run that has already ended writes none.
  static void wait_for_newer_checkpoint(const fs::path& run, const std::string& before) {
    for (int i = 0; i < 300 && newest_checkpoint(run) == before; ++i) sleep_ms(10);
  }
};

TEST_F(ResumeTest, KillingAtFiftyRandomMomentsGivesTheSameBytes) {
  ASSERT_EQ(run({"run", config(), "--out", "whole", "--quiet"}).status, 0);
  std::mt19937_64 draw(11);
  int kills = 0;
  int in_the_middle = 0;
  for (int directory = 0; kills < 50; ++directory) {
    const std::string out = "cut" + std::to_string(directory);
    // Each run is killed up to ten times and then finished.
    for (int life = 0; life < 10 && kills < 50; ++life) {
      const bool begun = fs::exists(work_ / out / "config.toml");
      const std::string before = newest_checkpoint(work_ / out);
      const pid_t child = begun ? start({"run", "--resume", out, "--quiet", "--checkpoint-seconds", "0"})
                                : start({"run", config(), "--out", out, "--quiet", "--checkpoint-seconds", "0"});
      // Every other process runs at least until its first checkpoint, even if a sanitizer or the disk is slow.
      if (life % 2 == 1) wait_for_newer_checkpoint(work_ / out, before);
      std::this_thread::sleep_for(std::chrono::microseconds(draw() % 40'000));
      ::kill(child, SIGKILL);
      const Ended ended = wait(child);
      if (ended.status != 128 + SIGKILL) {
        EXPECT_EQ(ended.status, 0) << ended.err;
        break;
      }
      ++kills;
    }
    const Ended last = fs::exists(work_ / out / "config.toml") ? run({"run", "--resume", out, "--quiet"})
                                                               : run({"run", config(), "--out", out, "--quiet"});
    ASSERT_EQ(last.status, 0) << last.err;
    expect_same_run(work_ / "whole", work_ / out);
    const std::string log = text_of(work_ / out / "log.txt");
    for (std::size_t at = log.find("resumed after"); at != std::string::npos; at = log.find("resumed after", at + 1))
      in_the_middle += log.compare(at, 16, "resumed after 0 ") != 0 ? 1 : 0;
  }
  // Kills before the first checkpoint would prove nothing.
  EXPECT_GE(in_the_middle, 10);
}

TEST_F(ResumeTest, SignalsWriteACheckpointAndPrintTheCommandThatResumes) {
  ASSERT_EQ(run({"run", config(), "--out", "whole", "--quiet"}).status, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string out = "stopped" + std::to_string(signal);
    const pid_t child = start({"run", long_config(), "--out", out, "--json", "--checkpoint-seconds", "0"});
    wait_for_checkpoint(work_ / out);
    ::kill(child, signal);
    const Ended ended = wait(child);
    EXPECT_EQ(ended.status, signal == SIGINT ? 130 : 143);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("politex run --resume " + out));
    EXPECT_FALSE(fs::exists(work_ / out / "summary.json"));
  }
}

TEST_F(ResumeTest, TheCommandThatResumesIsQuoted) {
  const std::string out = "a b'c";
  const pid_t child = start({"run", long_config(), "--out", out, "--quiet", "--checkpoint-seconds", "0"});
  wait_for_checkpoint(work_ / out);
  ::kill(child, SIGTERM);
  const std::string line = R"(politex run --resume 'a b'\''c')";
  EXPECT_THAT(wait(child).err, HasSubstr(line));
  EXPECT_THAT(run({"run", long_config(), "--out", out}).err, HasSubstr(line));
}

TEST_F(ResumeTest, ASecondProcessIsRefusedAndTheLockEndsWithTheFirst) {
  const pid_t child = start({"run", long_config(), "--out", "run", "--quiet", "--checkpoint-seconds", "0"}, "first");
  wait_for_checkpoint(work_ / "run");
  const Ended second = run({"run", "--resume", "run"});
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err, HasSubstr("another process is running in this directory"));
  ::kill(child, SIGKILL);
  wait(child, "first");
  const pid_t again = start({"run", "--resume", "run", "--quiet"}, "again");
  sleep_ms(200);
  ::kill(again, SIGTERM);
  EXPECT_EQ(wait(again, "again").status, 143);
}

TEST_F(ResumeTest, AChangedConfigurationIsRefusedByName) {
  const pid_t child = start({"run", long_config(), "--out", "run", "--quiet", "--checkpoint-seconds", "0"});
  wait_for_checkpoint(work_ / "run");
  ::kill(child, SIGKILL);
  wait(child);
  const std::string before = text_of(work_ / "run/progress.csv");
  Ended ended = run({"run", "--resume", "run", "eta=0.7"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("algorithm.eta: 0.1, 0.7"));
  std::string text = text_of(work_ / "run/config.toml");
  text.replace(text.find("size = 5"), 8, "size = 6");
  write_text(work_ / "run/config.toml", text);
  ended = run({"run", "--resume", "run"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("environment.size: 5, 6"));
  EXPECT_EQ(text_of(work_ / "run/progress.csv"), before);
}

TEST_F(ResumeTest, OtherSettingsAreRefusedBeforeTheFirstCheckpointToo) {
  const pid_t child = start({"run", long_config(), "--out", "run", "--quiet", "--checkpoint-seconds", "1000"});
  for (int i = 0; i < 3000 && !fs::exists(work_ / "run/progress.csv"); ++i) sleep_ms(10);
  ::kill(child, SIGKILL);
  wait(child);
  ASSERT_EQ(newest_checkpoint(work_ / "run"), "");
  const std::string before = text_of(work_ / "run/progress.csv");
  for (const char* key : {"seed=5", "steps=1000"}) {
    const Ended ended = run({"run", "--resume", "run", key, "--json"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("run: has another configuration (there, now): "));
  }
  EXPECT_EQ(text_of(work_ / "run/progress.csv"), before);
}

// Messages must not be written to the first file that is opened.
TEST_F(ResumeTest, WithoutStandardStreamsTheFilesAreTheSame) {
  ASSERT_EQ(run({"run", config(), "--out", "whole", "--quiet"}).status, 0);
  const pid_t child = start({"run", config(), "--out", "run", "--quiet", "--checkpoint-seconds", "0"});
  wait_for_checkpoint(work_ / "run");
  ::kill(child, SIGKILL);
  wait(child);
  fs::remove(work_ / "run/timing.csv");  // which is reported when the records are opened
  const pid_t silent = ::fork();
  if (silent == 0) {
    if (::chdir(work_.c_str()) != 0) ::_exit(99);
    for (const int stream : {0, 1, 2}) ::close(stream);
    ::execl(POLITEX_PROGRAM, POLITEX_PROGRAM, "run", "--resume", "run", static_cast<char*>(nullptr));
    ::_exit(98);
  }
  EXPECT_EQ(wait(silent).status, 1);  // its summary could not be printed
  expect_same_run(work_ / "whole", work_ / "run");
  EXPECT_THAT(text_of(work_ / "run/log.txt"), HasSubstr("timing.csv was truncated"));
}

TEST_F(ResumeTest, ABrokenPipeDoesNotEndARun) {
  const std::string file = config();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(work_.c_str()) != 0) ::_exit(99);
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    // Rollouts of ten steps on five rows give a warning.
    ::execl(POLITEX_PROGRAM, POLITEX_PROGRAM, "run", file.c_str(), "--out", "run", "--json", "explorer.action=1",
            "schedule.follow=6", "schedule.explore=3", static_cast<char*>(nullptr));
    ::_exit(98);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_EQ(wait(child).status, 0);
  EXPECT_TRUE(fs::exists(work_ / "run/summary.json"));
}

TEST_F(ResumeTest, AChangedInputFileIsRefused) {
  const auto model = [&](const char* cost) {
    return given("model.json",
                 std::string(R"({"states": 2, "actions": 2, "transitions": [[0,0,0,1],[0,1,1,1],[1,0,0,1],)"
                             R"([1,1,1,1]], "costs": [[0,1],[)") +
                     cost + ",0.5]]}");
  };
  const std::string file = "environment.file=" + model("2");
  const std::string base = given("mdp.toml", "steps = 3000\n[environment]\nname = \"finite_mdp\"\n");
  const pid_t child =
      start({"run", base, file, "steps=1000000000000", "--out", "run", "--quiet", "--checkpoint-seconds", "0"});
  wait_for_checkpoint(work_ / "run");
  ::kill(child, SIGKILL);
  wait(child);
  std::vector<std::string> sweep = {"sweep", base, file, "--quiet", "--out", "sweep", "--seeds", "1"};
  ASSERT_EQ(run(sweep).status, 0);
  model("3");
  sweep.back() = "2";
  for (const Ended& ended : {run({"run", "--resume", "run"}), run(sweep)}) {
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("environment.file"));
    EXPECT_THAT(ended.err, HasSubstr("has changed since the run in"));
  }
  model("2");
  EXPECT_EQ(run(sweep).status, 0);
}

TEST_F(ResumeTest, AFinishedRunRefusesOtherSettings) {
  ASSERT_EQ(run({"run", config(), "steps=2000", "--out", "run", "--quiet"}).status, 0);
  EXPECT_EQ(run({"run", "--resume", "run"}).status, 0);
  EXPECT_EQ(run({"run", "--resume", "run", "seed=1"}).status, 0);  // unchanged
  const Ended seed = run({"run", "--resume", "run", "seed=3"});
  EXPECT_EQ(seed.status, 2);
  EXPECT_THAT(seed.err, HasSubstr("seed: 1, 3"));
  EXPECT_EQ(run({"run", "--resume", "run", "--out", "other"}).status, 2);
}

TEST_F(ResumeTest, ASweepReportsRunsOfAnotherSweep) {
  ASSERT_EQ(run({"sweep", config(), "steps=2000", "eta=0.1,0.2", "--quiet", "--out", "sweep", "--seeds", "1"}).status,
            0);
  const Ended other =
      run({"sweep", config(), "steps=2000", "eta=0.2,0.3", "--quiet", "--out", "sweep", "--seeds", "1"});
  EXPECT_EQ(other.status, 0);
  EXPECT_THAT(other.err, HasSubstr("1 directories in sweep/runs belong to another sweep"));
  const Ended single = run({"run", config(), "--out", "sweep"});
  EXPECT_EQ(single.status, 2);
  EXPECT_THAT(single.err, HasSubstr("holds a sweep"));
}

TEST_F(ResumeTest, ARefusedSweepChangesNothing) {
  const auto sweep = [&](const char* count) {
    const std::string file = given("short.toml", std::string("steps = ") + count + "\n[environment]\nsize = 5\n");
    return run({"sweep", file, "eta=0.1,0.2", "--quiet", "--out", "sweep", "--seeds", "1"});
  };
  ASSERT_EQ(sweep("2000").status, 0);
  const std::string before = text_of(work_ / "sweep/sweep.json");
  EXPECT_THAT(before, HasSubstr("\"done\""));
  const Ended refused = sweep("3000");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("steps: 2000, 3000"));
  EXPECT_EQ(text_of(work_ / "sweep/sweep.json"), before);
}

TEST_F(ResumeTest, AFullDiskLeavesTheLastCheckpointIntact) {
  const fs::path disk = work_ / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0) GTEST_SKIP() << "this test needs to mount a tmpfs";
  const Ended full =
      run({"run", config(), "steps=2000000000", "--out", "disk/run", "--quiet", "--checkpoint-seconds", "0"});
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  // With more space it resumes from its checkpoint: the second failure is later than the first.
  ASSERT_EQ(::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=3m"), 0);
  const Ended more = run({"run", "--resume", "disk/run", "--quiet", "--checkpoint-seconds", "0"});
  EXPECT_EQ(more.status, 1);
  EXPECT_THAT(text_of(disk / "run/log.txt"), ::testing::ContainsRegex("resumed after [1-9][0-9]+ steps"));
  ::umount(disk.c_str());
}

TEST_F(ResumeTest, ASweepOnAFullDiskReportsFailedRunsAndResumesWhenThereIsSpace) {
  const fs::path disk = work_ / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=300k") != 0) GTEST_SKIP() << "this test needs to mount a tmpfs";
  const std::vector<std::string> sweep = {"sweep",  config(), "steps=100000", "--seeds", "6",
                                          "--jobs", "1",      "--quiet",      "--out",   "disk/sweep"};
  const Ended full = run(sweep);
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, HasSubstr("of 6 runs failed"));
  EXPECT_THAT(full.err, HasSubstr("seed=6: "));
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_THAT(full.err, HasSubstr("Rerun the same command when there is space"));
  ASSERT_EQ(::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=30m"), 0);
  const Ended again = run(sweep);
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("6 of 6 runs done"));
  ::umount(disk.c_str());
}

TEST_F(ResumeTest, ASweepThatIsKilledIsFinishedByTheSameCommand) {
  const std::vector<std::string> sweep = {"sweep",  config(), "--seeds", "4",    "eta=0.1,0.2",
                                          "--jobs", "2",      "--quiet", "--out"};
  std::vector<std::string> whole = sweep;
  whole.push_back("whole");
  ASSERT_EQ(run(whole).status, 0);
  std::vector<std::string> cut = sweep;
  cut.push_back("cut");
  const pid_t child = start(cut);
  sleep_ms(60);
  ::kill(child, SIGKILL);
  wait(child);
  const Ended again = run(cut);
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(text_of(work_ / "cut/results.csv"), text_of(work_ / "whole/results.csv"));
  EXPECT_EQ(text_of(work_ / "cut/sweep.json"), text_of(work_ / "whole/sweep.json"));
  EXPECT_EQ(Json::parse(text_of(work_ / "cut/sweep.json"))["arguments"], Json({"--seeds", "4", "eta=0.1,0.2"}));
  EXPECT_EQ(fs::exists(work_ / "cut/runs/algorithm.eta=0.1,seed=1/progress.csv"), true);
  expect_same_run(work_ / "cut/runs/algorithm.eta=0.2,seed=4", work_ / "whole/runs/algorithm.eta=0.2,seed=4");
}

TEST_F(ResumeTest, SweepsRefuseBadInputAndReportFailures) {
  Ended ended = run({"sweep", config(), "--seeds", "0", "--out", "s"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--seeds"));
  ended = run({"sweep", config(), "--seeds", "2", "eta=0.1,nan", "--out", "s"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(written().empty());
  // A horizon longer than the rollout is detected only when the run is created: that cell fails, the other does not.
  ended = run({"sweep", config(), "--seeds", "1", "horizon=2,1000", "--out", "s", "--quiet"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("1 of 2 runs failed"));
  EXPECT_THAT(ended.err, HasSubstr("algorithm.horizon=1000,seed=1: algorithm.horizon"));
  EXPECT_TRUE(fs::exists(work_ / "s/runs/algorithm.horizon=2,seed=1/summary.json"));
}

}  // namespace
}  // namespace politex::cli
