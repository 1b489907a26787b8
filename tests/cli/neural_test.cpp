// Neural runs of the real program: killed and resumed on another number of threads, bad input, non-finite losses.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;

class NeuralTest : public ProgramTest {
 protected:
  std::string config(const std::string& more = "") {
    return given("neural.toml",
                 "steps = 48000\n[environment]\nname = \"cartpole\"\n[algorithm]\nname = \"neural_ee_politex\"\n" +
                     more +
                     "[schedule]\nphase_steps = 300\n[explorer]\nname = \"energy_pump\"\n[network]\nhidden = 16\n"
                     "[actors]\nenvironments = 6\n");
  }
  static constexpr const char* small = "learner.batch=16";

  bool has_checkpoint(const std::string& run) const {
    std::error_code error;
    for (fs::directory_iterator it(work_ / run / "checkpoint", error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == ".checkpoint") return true;
    return false;
  }
};

TEST_F(NeuralTest, ResumingOnAnotherNumberOfThreadsGivesTheSameBytes) {
  ASSERT_EQ(run({"run", config(), small, "actors.threads=0", "--out", "whole", "--quiet"}).status, 0);
  pid_t child =
      start({"run", config(), small, "actors.threads=1", "--out", "cut", "--quiet", "--checkpoint-seconds", "0"});
  for (int i = 0; i < 3000 && !has_checkpoint("cut"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGKILL);
  wait(child);
  ASSERT_TRUE(has_checkpoint("cut"));
  // The number of threads does not affect results: it may be changed by hand before resuming.
  std::string settings = text_of(work_ / "cut/config.toml");
  const auto threads = settings.find("threads = 1");
  ASSERT_NE(threads, std::string::npos);
  write_text(work_ / "cut/config.toml", settings.replace(threads, 11, "threads = 7"));
  const Ended last = run({"run", "--resume", "cut", "--quiet"});
  ASSERT_EQ(last.status, 0) << last.err;
  for (const char* file : {"progress.csv", "episodes.csv", "sample_episode.csv", "network.safetensors"}) {
    EXPECT_EQ(text_of(work_ / "whole" / file), text_of(work_ / "cut" / file)) << file;
    EXPECT_NE(text_of(work_ / "whole" / file), "") << file;
  }
}

TEST_F(NeuralTest, BenchReportsWhyItSkipsTheGames) {
  ::setenv("POLITEX_PYTHON", "no-such-python", 1);  // NOLINT(concurrency-mt-unsafe): no other thread runs
  const Ended ended = run({"bench", "--only", "games"});
  ::unsetenv("POLITEX_PYTHON");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, ::testing::ContainsRegex("emulator alone, one core +skipped: .*(no-such-python|second core)"));
}

TEST_F(NeuralTest, ALossThatIsNotFiniteStopsTheRunAndKeepsItsCheckpoint) {
  // The learner waits for a batch of 20,000: by then there are checkpoints.
  const Ended ended = run({"run", config(), "learner.batch=20000", "environment.move_cost=1e6",
                           "learner.cost_scale=1e6", "learner.clip=0", "learner.n_step=255", "learner.rate=1",
                           "network.layers=4", "--out", "blown", "--quiet", "--checkpoint-seconds", "0"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("not finite at learner step"));
  EXPECT_THAT(ended.err, HasSubstr("learner.rate"));
  EXPECT_TRUE(has_checkpoint("blown"));
  EXPECT_THAT(text_of(work_ / "blown/log.txt"), HasSubstr("not finite"));
}

TEST_F(NeuralTest, BadInputIsRefusedAndNothingIsWritten) {
  const auto refused = [&](const std::vector<std::string>& settings, const char* key) {
    std::vector<std::string> words{"run", config(), "--out", "bad"};
    words.insert(words.end(), settings.begin(), settings.end());
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2) << key;
    EXPECT_THAT(ended.err, HasSubstr(key));
    EXPECT_FALSE(fs::exists(work_ / "bad")) << key;
  };
  refused({"policy.ring=0"}, "policy.ring");
  refused({"replay.capacity=100"}, "learner.batch");
  refused({"environment.name=acrobot"}, "energy_pump");
  refused({"explorer.name=file", "explorer.file=" + given("x.policy", "no network")}, "explorer.file");
  // Explorers for another environment and with another shape.
  ASSERT_EQ(run({"explore",
                 given("car.toml",
                       "steps = 2000\n[environment]\nname = \"mountain_car\"\n[algorithm]\nname = \"dqn\"\n"
                       "[network]\nhidden = 16\n"),
                 "--out", "car.policy", "--quiet"})
                .status,
            0);
  refused({"explorer.name=file", "explorer.file=car.policy"}, "mountain_car");
  std::string bytes = text_of(work_ / "car.policy");
  for (std::size_t at = bytes.find("mountain_car"); at != std::string::npos; at = bytes.find("mountain_car"))
    bytes.replace(at, 12, "cartpole\",\"x\":\"");
  refused({"explorer.name=file", "explorer.file=" + given("wrong.policy", bytes)}, "explorer.file");
}

}  // namespace
}  // namespace politex::cli
