// A neural run in environments that the caller brings, from a configuration to its files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <limits>

#include "politex/base/error.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/neural_run.hpp"

namespace politex {
namespace {

/// One number that counts; something that is not finite after `good` rounds.
class CountingBlock final : public EnvironmentBlock {
 public:
  CountingBlock(int count, std::int64_t good, bool in_cost) : count_(count), good_(good), in_cost_(in_cost) {
    space_.name = "counting";
    space_.actions = 2;
    space_.ranges = {{0, 1}};
  }
  const Space& space() const override { return space_; }
  int count() const override { return count_; }
  void step(int, std::span<const Action>, std::span<StepResult> into) override {
    const bool bad = ++rounds_ > good_;
    for (StepResult& step : into)
      step = {.cost = bad && in_cost_ ? std::numeric_limits<double>::quiet_NaN() : 1.0, .terminated = rounds_ % 7 == 0};
  }
  void observe(int, std::span<float> into) const override {
    into[0] = rounds_ > good_ && !in_cost_ ? std::numeric_limits<float>::quiet_NaN() : 0.5F;
  }
  void last(int which, std::span<float> into) const override { observe(which, into); }
  void observe(int, std::span<double>) const override {}
  void last(int, std::span<double>) const override {}
  bool can_save() const override { return false; }
  void save(int, ByteWriter&) const override {}
  void restore(int, ByteReader&) override {}

 private:
  Space space_;
  int count_;
  std::int64_t rounds_ = 0, good_;
  bool in_cost_;
};

TEST(NeuralRun, ANumberThatIsNotFiniteStopsItWithTheLastGoodCheckpointKept) {
  for (const bool in_cost : {false, true}) {
    Config config;
    config.steps = 4'000;
    config.set("environment.name", "cartpole");  // only a name here
    config.set("algorithm.name", "neural_politex");
    config.set("network.hidden", 16);
    config.set("replay.capacity", 1'000);
    config.set("learner.batch", 8);
    config.set("schedule.phase_steps", 50);
    config.set("actors.environments", 4);
    config.set("actors.threads", in_cost ? 1 : 0);
    NeuralRun run(config, neural::external_blocks(std::make_shared<CountingBlock>(4, 500, in_cost)));
    std::string name = (std::filesystem::temp_directory_path() / "politex-external-XXXXXX").string();
    const std::filesystem::path root = ::mkdtemp(name.data());
    const RunDirectory directory = RunDirectory::create(root / "run");
    EngineOptions options;
    options.directory = &directory;
    options.checkpoint_seconds = 0;
    try {
      drive(run, config, options);
      ADD_FAILURE() << "it continued";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  testing::HasSubstr(in_cost ? "a cost that is not finite" : "an observation that is not finite"));
    }
    const auto files = checkpoint_files(root / "run" / "checkpoint");
    ASSERT_FALSE(files.empty());
    const std::int64_t steps = read_checkpoint(files.front()).steps;
    EXPECT_TRUE(steps == 800 || steps == 1'600) << steps;  // two phases are good, and checkpoints depend on wall time
    EXPECT_TRUE(std::filesystem::exists(root / "run" / "checkpoint" / "environments-not-saved.txt"));
    std::filesystem::remove_all(root);
  }
}

}  // namespace
}  // namespace politex
