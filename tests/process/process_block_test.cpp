#include "politex/process/process_block.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "politex/base/error.hpp"

namespace politex {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ProcessSettings walkers(std::vector<std::string> words, int count = 3, int processes = 1) {
  ProcessSettings settings;
  settings.command = {POLITEX_PLAIN_SERVER};
  settings.command.insert(settings.command.end(), words.begin(), words.end());
  settings.name = "walker";
  settings.count = count;
  settings.processes = processes;
  settings.seconds = 20.0;
  return settings;
}

std::string problem_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

/// All observations, costs and flags of a few hundred rounds, as numbers.
std::vector<double> trace(ProcessBlock& block, int rounds, int salt = 0) {
  const auto count = static_cast<std::size_t>(block.count());
  std::vector<double> seen;
  std::vector<Action> actions(count);
  std::vector<StepResult> steps(count);
  std::vector<double> numbers(block.space().ranges.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) actions[i] = (round * 7 + salt + static_cast<int>(i)) % 3 == 0 ? 0 : 1;
    block.step(0, actions, steps);
    for (int i = 0; i < block.count(); ++i) {
      const auto& step = steps[static_cast<std::size_t>(i)];
      seen.insert(seen.end(), {step.cost, step.score, double(step.terminated), double(step.truncated)});
      block.observe(i, std::span(numbers));
      seen.insert(seen.end(), numbers.begin(), numbers.end());
      if (!step.terminated && !step.truncated) continue;
      block.last(i, std::span(numbers));
      seen.insert(seen.end(), numbers.begin(), numbers.end());
    }
  }
  return seen;
}

bool lives(int process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return static_cast<bool>(status >> number >> name >> state) && state != "Z" && state != "X";
}

bool ends_soon(int process) {
  for (int i = 0; i < 500 && lives(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !lives(process);
}

TEST(ProcessBlock, MatchesTheServer) {
  ProcessBlock block(walkers({"size=5"}));
  EXPECT_EQ(block.space().name, "walker");
  EXPECT_EQ(block.space().actions, 2);
  EXPECT_EQ(block.space().states, 5);
  EXPECT_EQ(block.space().time_limit, 50);
  EXPECT_TRUE(block.can_save());
  std::vector<Action> ahead(3, 1);
  std::vector<StepResult> steps(3);
  std::vector<double> before(1), after(1);
  int ends = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<double> places;
    for (int i = 0; i < 3; ++i) {
      block.observe(i, std::span(before));
      places.push_back(before[0]);
    }
    block.step(0, ahead, steps);
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      block.observe(i, std::span(after));
      const bool home = places[at] == 4.0;
      EXPECT_EQ(steps[at].terminated, home);
      EXPECT_EQ(steps[at].cost, home ? -1.0 : 0.0);
      EXPECT_FALSE(std::signbit(home ? 0.0 : steps[at].cost));
      EXPECT_EQ(steps[at].score, home ? 100.0 : 0.0);
      if (!home) {
        EXPECT_EQ(after[0], places[at] + 1.0);
        continue;
      }
      ++ends;
      block.last(i, std::span(before));
      EXPECT_EQ(before[0], 0.0);
      EXPECT_GE(after[0], 1.0);
    }
  }
  EXPECT_GT(ends, 30);
}

TEST(ProcessBlock, AnyNumberOfChildrenGivesTheSameBits) {
  ProcessBlock one(walkers({"float"}, 5, 1)), two(walkers({"float"}, 5, 2)), many(walkers({"float"}, 5, 9));
  EXPECT_EQ(one.processes().size(), 1U);
  EXPECT_EQ(two.processes().size(), 2U);
  EXPECT_EQ(many.processes().size(), 5U);
  const auto expected = trace(one, 200);
  EXPECT_EQ(trace(two, 200), expected);
  EXPECT_EQ(trace(many, 200), expected);
  auto late = walkers({"float"}, 2);
  late.first = 3;
  ProcessBlock tail(late);
  std::vector<float> here(2), there(2);
  for (int i = 0; i < 2; ++i) {
    ProcessBlock whole(walkers({"float"}, 5));
    tail.observe(i, std::span(here));
    whole.observe(3 + i, std::span(there));
    EXPECT_EQ(here, there) << "environment 3 + " << i << " must be seeded by its number in the run";
  }
}

TEST(ProcessBlock, RestoresOnAnotherNumberOfProcesses) {
  ByteWriter saved;
  std::vector<double> expected;
  {
    ProcessBlock block(walkers({}, 4, 1));
    trace(block, 77);
    block.save(0, saved);
    expected = trace(block, 100, 1);
  }
  ProcessBlock again(walkers({}, 4, 3));
  ByteReader reader(saved.bytes());
  again.restore(0, reader);
  EXPECT_TRUE(reader.empty());
  EXPECT_EQ(trace(again, 100, 1), expected);
}

TEST(ProcessBlock, RenderingDoesNotAffectResults) {
  ProcessBlock looked_at(walkers({"pictures", "size=11"}, 3, 2)), left_alone(walkers({"size=11"}, 3, 2));
  ASSERT_TRUE(looked_at.has_pictures());
  std::vector<double> place(1);
  for (int round = 0; round < 5; ++round) {
    for (int which = 0; which < 3; ++which) {
      const Picture picture = looked_at.picture(which);
      EXPECT_EQ(picture.height, 1986U);
      EXPECT_EQ(picture.width, 11U);
      looked_at.observe(which, std::span(place));
      std::vector<std::uint8_t> row;
      for (int x = 0; x < 11; ++x) {
        const auto pixel = x == static_cast<int>(place[0]) ? std::array<std::uint8_t, 3>{255, 255, 255}
                                                           : std::array<std::uint8_t, 3>{std::uint8_t(x), '!', '!'};
        row.insert(row.end(), pixel.begin(), pixel.end());
      }
      ASSERT_EQ(picture.rgb.size(), 1986 * row.size());
      EXPECT_TRUE(std::equal(row.begin(), row.end(), picture.rgb.begin()));
      EXPECT_TRUE(std::equal(row.begin(), row.end(), picture.rgb.end() - static_cast<std::ptrdiff_t>(row.size())));
    }
    EXPECT_EQ(trace(looked_at, 20, round), trace(left_alone, 20, round));
  }
}

TEST(ProcessBlock, InvalidPicturesAreReported) {
  ProcessBlock none(walkers({}));
  EXPECT_FALSE(none.has_pictures());
  EXPECT_THAT(problem_of([&] { none.picture(0); }), HasSubstr("walker cannot render pictures"));
  EXPECT_NO_THROW(trace(none, 3)) << "the server was not asked";
  for (int way = 0; way <= 8; ++way) {
    ProcessBlock torn(walkers({"torn=" + std::to_string(way)}));
    const std::string message = problem_of([&] { torn.picture(1); });
    EXPECT_THAT(message, HasSubstr("walker, environments 0 to 2")) << way;
    EXPECT_THAT(message, HasSubstr(way < 7    ? "instead of 'picture HEIGHT WIDTH', each 1 to 4096"
                                   : way == 7 ? "the lens is dirty"
                                              : "more bytes than announced"))
        << way;
  }
}

TEST(ProcessBlock, ReportsEveryKindOfFailure) {
  const auto run = [](std::vector<std::string> words) {
    return problem_of([&] {
      auto settings = walkers(std::move(words), 2, 2);
      settings.first = 6;
      ProcessBlock block(settings);
      trace(block, 10);
    });
  };
  EXPECT_THAT(run({"die=3"}), AllOf(HasSubstr("walker, environment 6"), HasSubstr("signal 6")));
  EXPECT_THAT(run({"nan=3", "float"}),
              AllOf(HasSubstr("environment 6"), HasSubstr("number 1 of its observation is nan")));
  EXPECT_THAT(run({"reward=3"}), AllOf(HasSubstr("environment 6"), HasSubstr("reward is nan")));
  EXPECT_THAT(run({"state=3"}), AllOf(HasSubstr("environment 6"), HasSubstr("7 states")));
  EXPECT_THAT(run({"error=3"}), AllOf(HasSubstr("environment 6"), HasSubstr("fell off the ring")));
  EXPECT_THAT(run({"version=2"}), AllOf(HasSubstr("version 2"), HasSubstr("this program version 1")));
  EXPECT_THAT(run({"babble"}), HasSubstr("does not use the protocol of politex"));
  EXPECT_THAT(run({"wide"}), HasSubstr("3 range limits for 2 numbers"));
  auto missing = walkers({});
  missing.command = {"a-program-that-is-not-there"};
  EXPECT_THAT(problem_of([&] { ProcessBlock{missing}; }),
              AllOf(HasSubstr("a-program-that-is-not-there"), HasSubstr("No such file")));
}

TEST(ProcessBlock, KillsAHungServerAtTheTimeLimit) {
  for (const char* word : {"hang=2", "mute"}) {
    auto settings = walkers({word}, 1);
    settings.seconds = 0.3;
    EXPECT_THAT(problem_of([&] {
                  ProcessBlock block(settings);
                  trace(block, 5);
                }),
                AllOf(HasSubstr("no answer within 0.3 s"), HasSubstr("environment.time_limit")))
        << word;
  }
}

TEST(ProcessBlock, RejectsSettingsOutOfRange) {
  for (const auto& spoil : std::vector<std::function<void(ProcessSettings&)>>{
           [](ProcessSettings& s) { s.count = 0; }, [](ProcessSettings& s) { s.processes = 0; },
           [](ProcessSettings& s) { s.seconds = 0.0; }}) {
    auto settings = walkers({});
    spoil(settings);
    EXPECT_THROW(ProcessBlock{settings}, ConfigError);
  }
}

TEST(ProcessBlock, LeavesNoProcess) {
  std::vector<int> processes;
  {
    ProcessBlock block(walkers({}, 4, 2));
    processes = block.processes();
    for (const int process : processes) EXPECT_TRUE(lives(process));
  }
  for (const int process : processes) EXPECT_FALSE(lives(process));
}

// The parent is a fork of the test that is killed during a step that its child never answers.
TEST(ProcessBlock, KillingTheParentEndsAHungChild) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    ProcessBlock block(walkers({"hang=2"}, 2, 2));
    for (const int process : block.processes()) (void)!write(ends[1], &process, sizeof process);
    trace(block, 5);
    _exit(0);
  }
  close(ends[1]);  // so that reading ends when the child ends
  std::vector<int> children(2);
  for (int& child : children) ASSERT_EQ(read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const int child : children) EXPECT_TRUE(lives(child));
  // The shared memory has no name, so that no process can leave it in /dev/shm.
  for (const int process : {parent, children[0], children[1]}) {
    std::ifstream in("/proc/" + std::to_string(process) + "/maps");
    const std::string maps((std::istreambuf_iterator<char>(in)), {});
    EXPECT_NE(maps.find("/memfd:politex"), std::string::npos) << process;
    EXPECT_EQ(maps.find("/dev/shm/"), std::string::npos) << process;
  }
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (const int child : children) EXPECT_TRUE(ends_soon(child)) << child;
  close(ends[0]);
}

}  // namespace
}  // namespace politex
