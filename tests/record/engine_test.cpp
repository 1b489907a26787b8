// Records, checkpoints and resuming, with a fake run: what the engine does must not depend on the learner.
#include "politex/record/engine.hpp"
#include "politex/base/duration.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <limits>

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "politex/record/checkpoint.hpp"
#include "politex/record/records.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/summary.hpp"
#include "run/fake_run.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    std::string name = (fs::temp_directory_path() / "politex-engine-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    config_.steps = 20'000;
  }
  ~EngineTest() override { fs::remove_all(root_); }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  static nlohmann::json summary_without_times(const fs::path& directory) {
    nlohmann::json json = nlohmann::json::parse(text_of(directory / "summary.json"));
    json.erase("seconds");
    json.erase("steps_per_second");
    return json;
  }

  // Stops when `stop_after` steps are done.
  std::optional<Summary> drive_once(const fs::path& path, bool resume, std::int64_t stop_after) {
    const RunDirectory directory = resume ? RunDirectory::open(path) : RunDirectory::create(path);
    std::atomic<int> stop = 0;
    class Stopping : public FakeRun {
     public:
      Stopping(const Config& config, std::int64_t after, std::atomic<int>& stop)
          : FakeRun(config), after_(after), stop_(stop) {}
      void advance() override {
        FakeRun::advance();
        if (steps_done() == after_) stop_ = 15;
      }
      std::int64_t after_;
      std::atomic<int>& stop_;
    } run(config_, stop_after, stop);
    EngineOptions options;
    options.directory = &directory;
    options.resume = resume;
    options.restart_damaged = restart_damaged_;
    options.checkpoint_seconds = checkpoint_seconds_;
    options.wait_from_seconds = wait_from_seconds_;
    options.stop = &stop;
    options.say = [this](const std::string& text) { messages_ += text + "\n"; };
    return drive(run, config_, options);
  }

  fs::path root_;
  Config config_;
  std::string messages_;
  double wait_from_seconds_ = 1.0;
  bool restart_damaged_ = false;
  double checkpoint_seconds_ = 1e9;  // only a stop writes one: syncing to a slow disk would make this test slow
};

TEST_F(EngineTest, WritesTheFilesOfTheContract) {
  const auto summary = drive_once(root_ / "run", false, -1);
  ASSERT_TRUE(summary.has_value());
  std::istringstream csv(text_of(root_ / "run/progress.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "phase,steps,average_cost,phase_average_cost,extra");
  FakeRun again(config_);
  int rows = 0;
  while (std::getline(csv, line)) {
    again.advance();
    ++rows;
    std::istringstream cells(line);
    std::vector<double> row;
    again.row(row);
    for (const double expected : row) {
      std::string cell;
      std::getline(cells, cell, ',');
      double value = 0.0;
      std::from_chars(cell.data(), cell.data() + cell.size(), value);
      ASSERT_EQ(value, expected) << line;
    }
  }
  EXPECT_EQ(rows, 2000);
  EXPECT_EQ(text_of(root_ / "run/config.toml"), to_toml(config_) + std::string(end_of_config));
  const auto json = nlohmann::json::parse(text_of(root_ / "run/summary.json"));
  EXPECT_EQ(json["steps"], 20'000);
  EXPECT_EQ(json["algorithm"], "ee_politex");
  EXPECT_TRUE(json["average_cost_last_tenth"].is_null());
  EXPECT_TRUE(json["build"].contains("instruction_set"));
  EXPECT_THAT(text_of(root_ / "run/log.txt"), HasSubstr("done: 20000 steps"));
  EXPECT_THAT(text_of(root_ / "run/timing.csv"), HasSubstr("steps,seconds\n"));
}

TEST_F(EngineTest, StoppingAndResumingAnywhereGivesTheSameBytes) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  std::mt19937_64 draw(3);
  for (int round = 0; round < 20; ++round) {
    const fs::path path = root_ / ("cut" + std::to_string(round));
    std::int64_t at = static_cast<std::int64_t>(10 * (1 + draw() % 900));
    ASSERT_FALSE(drive_once(path, false, at));
    EXPECT_FALSE(fs::exists(path / "summary.json"));
    // Rows after the checkpoint, as left by a kill, are removed.
    std::ofstream(path / "progress.csv", std::ios::app) << "999,99,half a ro";
    at += 10 * (1 + static_cast<std::int64_t>(draw() % 900));
    ASSERT_FALSE(drive_once(path, true, at));
    ASSERT_TRUE(drive_once(path, true, -1));
    EXPECT_EQ(text_of(path / "progress.csv"), text_of(root_ / "whole/progress.csv"));
    EXPECT_EQ(summary_without_times(path), summary_without_times(root_ / "whole"));
    EXPECT_LE(checkpoint_files(path / "checkpoint").size(), 2u);
  }
  EXPECT_EQ(messages_, "");
}

TEST_F(EngineTest, PeriodicCheckpointsChangeNothingAndTwoAreKept) {
  wait_from_seconds_ = 0.0;
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  checkpoint_seconds_ = 1e-9;
  ASSERT_FALSE(drive_once(root_ / "often", false, 15'000));
  const auto files = checkpoint_files(root_ / "often/checkpoint");
  ASSERT_EQ(files.size(), 2u);
  // Every periodic checkpoint, not only that of a stop, leads to the same results.
  fs::remove(files.front());
  ASSERT_TRUE(drive_once(root_ / "often", true, -1));
  // Nothing resumes a finished run.
  for (const char* finished : {"whole", "often"}) EXPECT_TRUE(fs::is_empty(root_ / finished / "checkpoint"));
  EXPECT_EQ(text_of(root_ / "often/progress.csv"), text_of(root_ / "whole/progress.csv"));
  EXPECT_EQ(summary_without_times(root_ / "often"), summary_without_times(root_ / "whole"));
}

TEST_F(EngineTest, AShortRunIsNotSyncedAndHasTheSameBytes) {
  ASSERT_TRUE(drive_once(root_ / "short", false, -1));
  wait_from_seconds_ = 0.0;
  ASSERT_TRUE(drive_once(root_ / "long", false, -1));
  // Short runs are cheaper to repeat: the directory of checkpoints exists and is empty.
  EXPECT_TRUE(fs::is_directory(root_ / "short/checkpoint"));
  EXPECT_EQ(checkpoint_files(root_ / "short/checkpoint").size(), 0U);
  EXPECT_EQ(checkpoint_files(root_ / "long/checkpoint").size(), 0U);
  for (const char* file : {"config.toml", "progress.csv"})
    EXPECT_EQ(text_of(root_ / "short" / file), text_of(root_ / "long" / file)) << file;
  EXPECT_EQ(summary_without_times(root_ / "short"), summary_without_times(root_ / "long"));
}

// What a file system may leave after a power failure of a run that was not synced.
TEST_F(EngineTest, APowerFailureAfterAShortRunIsDetectedAndTheRunResumes) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  const std::string rows = text_of(root_ / "whole/progress.csv");
  const std::string summary = text_of(root_ / "whole/summary.json");
  ASSERT_TRUE(finished_summary(root_ / "whole"));
  const auto cut = [&](const char* file, const std::string& text, std::size_t size) {
    fs::remove_all(root_ / "cut");
    fs::copy(root_ / "whole", root_ / "cut", fs::copy_options::recursive);
    std::ofstream(root_ / "cut" / file, std::ios::binary) << text.substr(0, size);
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, rows.find('\n') + 1, rows.size() / 2, rows.size() - 1}) {
    cut("progress.csv", rows, size);
    EXPECT_FALSE(finished_summary(root_ / "cut")) << size;
    ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
    EXPECT_EQ(text_of(root_ / "cut/progress.csv"), rows);
    EXPECT_TRUE(finished_summary(root_ / "cut"));
  }
  for (const std::size_t size : {std::size_t{0}, summary.size() / 2}) {
    cut("summary.json", summary, size);
    EXPECT_FALSE(finished_summary(root_ / "cut")) << size;
  }
  // A part of the configuration may be the configuration of another run: it is never used.
  const std::string config = text_of(root_ / "whole/config.toml");
  for (const std::string& left :
       {std::string(), std::string(config.size(), '\0'), config.substr(0, config.find("[schedule]"))}) {
    cut("config.toml", left, left.size());
    if (!left.empty()) fs::remove(root_ / "cut/summary.json");
    EXPECT_THROW(RunDirectory::open(root_ / "cut"), ConfigError);
    ASSERT_TRUE(drive_once(root_ / "cut", false, -1));  // started from scratch
    EXPECT_EQ(text_of(root_ / "cut/progress.csv"), rows);
  }
  // A run without its rows is still finished.
  fs::remove(root_ / "whole/progress.csv");
  EXPECT_EQ(finished_summary(root_ / "whole"), summary);
}

TEST_F(EngineTest, KilledBeforeTheFirstCheckpointStartsOver) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  fs::remove_all(root_ / "cut/checkpoint");
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
}

TEST_F(EngineTest, ADamagedCheckpointIsReportedAndTheOneBeforeIsUsed) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  ASSERT_FALSE(drive_once(root_ / "cut", true, 9000));
  const auto files = checkpoint_files(root_ / "cut/checkpoint");
  ASSERT_EQ(files.size(), 2u);
  std::string bytes = text_of(files[0]);
  bytes[bytes.size() / 2] ^= 4;
  std::ofstream(files[0], std::ios::binary) << bytes;
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_THAT(messages_, HasSubstr("wrong checksum"));
  EXPECT_THAT(messages_, HasSubstr("using the checkpoint before it"));
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
  EXPECT_EQ(summary_without_times(root_ / "cut"), summary_without_times(root_ / "whole"));
}

TEST_F(EngineTest, WithoutAnIntactCheckpointNothingIsChangedUnlessTheCallerSaidSo) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  const auto files = checkpoint_files(root_ / "cut/checkpoint");
  ASSERT_EQ(files.size(), 1u);
  std::ofstream(files[0], std::ios::binary) << "rubbish";
  const std::string rows = text_of(root_ / "cut/progress.csv");
  try {
    drive_once(root_ / "cut", true, -1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no other checkpoint. Nothing was changed; to start from scratch"));
  }
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), rows);
  EXPECT_EQ(text_of(files[0]), "rubbish");
  restart_damaged_ = true;
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_THAT(messages_, HasSubstr("there is no earlier checkpoint: restarting the run from scratch"));
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
}

TEST_F(EngineTest, ChangedRowsAreNoticed) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  ASSERT_FALSE(drive_once(root_ / "cut", true, 9000));
  const auto files = checkpoint_files(root_ / "cut/checkpoint");
  ASSERT_EQ(files.size(), 2u);
  const std::string rows = text_of(root_ / "cut/progress.csv");
  const auto change = [&](std::int64_t at) {
    std::string changed = rows;
    changed[static_cast<std::size_t>(at)] = changed[static_cast<std::size_t>(at)] == '1' ? '2' : '1';
    std::ofstream(root_ / "cut/progress.csv", std::ios::binary) << changed;
  };
  change(read_checkpoint(files[1]).progress_bytes / 2);  // in the rows of both
  EXPECT_THROW(drive_once(root_ / "cut", true, -1), Error);
  EXPECT_THAT(messages_, HasSubstr("progress.csv was changed since this checkpoint was written"));
  EXPECT_EQ(checkpoint_files(root_ / "cut/checkpoint"), files);  // nothing was changed
  change(read_checkpoint(files[1]).progress_bytes + 5);          // in the rows of the newer one
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_THAT(messages_, HasSubstr("using the checkpoint before it"));
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
}

TEST_F(EngineTest, AStateThatDoesNotFitIsNamedAndLeftAlone) {
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  const auto file = checkpoint_files(root_ / "cut/checkpoint").front();
  const Checkpoint good = read_checkpoint(file);
  const auto write = [&](const Checkpoint& checkpoint) {
    const auto bytes = encode(checkpoint);  // with a checksum that is right
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  };
  for (const int kind : {0, 1, 2}) {
    Checkpoint bad = good;
    if (kind == 0) bad.state.pop_back();
    if (kind == 1) bad.state.push_back(std::byte{0});
    if (kind == 2) bad.steps += 10;
    write(bad);
    try {
      drive_once(root_ / "cut", true, -1);
      FAIL() << kind;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.string() + ": the checkpoint is damaged: ")) << kind;
    }
    EXPECT_TRUE(fs::exists(file));
  }
  Checkpoint other = good;
  other.build = "0.1 000000000000, another compiler";
  write(other);
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_THAT(messages_, HasSubstr("written by another build (0.1 000000000000, another compiler)"));
}

TEST_F(EngineTest, FilesThatAreDeletedUnderARunAreReported) {
  for (const char* lost : {"progress.csv", "timing.csv", "."}) {
    messages_.clear();
    const fs::path path = root_ / "run";
    const RunDirectory directory = RunDirectory::create(path);
    class Deleting : public FakeRun {
     public:
      Deleting(const Config& config, fs::path victim) : FakeRun(config), victim_(std::move(victim)) {}
      void advance() override {
        FakeRun::advance();
        if (steps_done() == 10'000) fs::remove_all(victim_);
      }
      fs::path victim_;
    } run(config_, std::string(lost) == "." ? path : path / lost);
    EngineOptions options;
    options.directory = &directory;
    options.say = [this](const std::string& text) { messages_ += text + "\n"; };
    if (std::string(lost) == "timing.csv") {
      EXPECT_TRUE(drive(run, config_, options));
      EXPECT_THAT(messages_, HasSubstr("timing.csv: was deleted or replaced while the run wrote it"));
    } else {
      EXPECT_THROW(drive(run, config_, options), Error) << lost;
      EXPECT_FALSE(fs::exists(path / "summary.json"));
    }
    fs::remove_all(path);
  }
}

// Days of work must not be restarted because the wrong version or the wrong user tried to resume them.
TEST_F(EngineTest, CheckpointsOfAnotherFormatAreLeftAlone) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  ASSERT_FALSE(drive_once(root_ / "cut", true, 9000));
  const auto files = checkpoint_files(root_ / "cut/checkpoint");
  ASSERT_EQ(files.size(), 2u);
  const auto set_format = [](const fs::path& file, char format) {
    std::string bytes = text_of(file);
    bytes[8] = format;
    std::ofstream(file, std::ios::binary) << bytes;
  };
  const char format = text_of(files[0])[8];
  set_format(files[0], static_cast<char>(format + 1));
  set_format(files[1], static_cast<char>(format + 1));
  const std::string rows = text_of(root_ / "cut/progress.csv");
  try {
    drive_once(root_ / "cut", true, -1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("this program reads"));
    EXPECT_THAT(error.what(), HasSubstr("nothing was changed"));
  }
  EXPECT_EQ(checkpoint_files(root_ / "cut/checkpoint"), files);
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), rows);
  set_format(files[1], format);  // one readable checkpoint is enough
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  EXPECT_THAT(messages_, HasSubstr("using the checkpoint before it"));
  EXPECT_THAT(text_of(root_ / "cut/log.txt"), HasSubstr("using the checkpoint before it"));
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
}

TEST_F(EngineTest, ALostConfigurationIsRestoredFromTheCheckpoint) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  for (const char* text : {"", "gone"}) {
    const fs::path path = root_ / (std::string("cut") + text);
    ASSERT_FALSE(drive_once(path, false, 5000));
    fs::remove(path / "config.toml");
    if (*text == '\0') std::ofstream(path / "config.toml") << "";
    EXPECT_THROW(RunDirectory::create(path), ConfigError);
    ASSERT_TRUE(drive_once(path, true, -1));
    EXPECT_EQ(text_of(path / "config.toml"), text_of(root_ / "whole/config.toml"));
    EXPECT_EQ(text_of(path / "progress.csv"), text_of(root_ / "whole/progress.csv"));
    EXPECT_THAT(text_of(path / "log.txt"), HasSubstr("config.toml was lost; restored it from 0000000000005000"));
  }
}

TEST_F(EngineTest, PartialCheckpointsAreRemoved) {
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  const fs::path stray = root_ / "cut/checkpoint/0000000000007000.checkpoint.new";
  std::ofstream(stray) << "half of";
  ASSERT_FALSE(drive_once(root_ / "cut", true, 9000));
  EXPECT_FALSE(fs::exists(stray));
  EXPECT_EQ(checkpoint_files(root_ / "cut/checkpoint").size(), 2u);
}

TEST_F(EngineTest, TruncatedPicturesAndTimesAreRestarted) {
  ASSERT_TRUE(drive_once(root_ / "whole", false, -1));
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  fs::resize_file(root_ / "cut/pictures.jsonl", 30);
  fs::remove(root_ / "cut/timing.csv");
  for (const auto& entry : fs::directory_iterator(root_ / "cut"))
    if (entry.path().filename().string().starts_with("events.")) fs::resize_file(entry.path(), 60);
  ASSERT_TRUE(drive_once(root_ / "cut", true, -1));
  for (const char* file : {"pictures.jsonl", "timing.csv", "the events file"}) {
    const std::string words = std::string(file) + " was truncated; restarting it";
    EXPECT_THAT(messages_, HasSubstr(words));
    EXPECT_THAT(text_of(root_ / "cut/log.txt"), HasSubstr(words));
  }
  EXPECT_EQ(text_of(root_ / "cut/progress.csv"), text_of(root_ / "whole/progress.csv"));
  const std::string whole = text_of(root_ / "whole/pictures.jsonl");
  const std::string cut = text_of(root_ / "cut/pictures.jsonl");
  const std::size_t frame = whole.find('\n') + 1;
  ASSERT_GT(cut.size(), frame);
  EXPECT_EQ(cut.substr(0, frame), whole.substr(0, frame));
  EXPECT_TRUE(whole.ends_with(cut.substr(frame)));
  EXPECT_THAT(text_of(root_ / "cut/timing.csv"), ::testing::StartsWith("steps,seconds\n"));
}

TEST_F(EngineTest, AnotherConfigurationIsRefusedByName) {
  ASSERT_FALSE(drive_once(root_ / "cut", false, 5000));
  config_.set("algorithm.eta", 0.7);
  try {
    drive_once(root_ / "cut", true, -1);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("algorithm.eta: 0.1, 0.7"));
  }
}

TEST_F(EngineTest, OneProcessAtATimeAndNoRunIsOverwritten) {
  {
    const RunDirectory first = RunDirectory::create(root_ / "run");
    EXPECT_THROW(RunDirectory::create(root_ / "run"), ConfigError);
  }
  ASSERT_FALSE(drive_once(root_ / "run", false, 100));
  try {
    RunDirectory::create(root_ / "run");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("politex run --resume"));
  }
  EXPECT_THROW(RunDirectory::open(root_ / "nothing"), ConfigError);
  std::ofstream(root_ / "file") << "x";
  EXPECT_THROW(RunDirectory::create(root_ / "file"), ConfigError);
  EXPECT_THROW(RunDirectory::create(root_ / "file/below"), ConfigError);
}

TEST_F(EngineTest, AFailingRunLeavesItsCheckpointsAndItsRows) {
  const RunDirectory directory = RunDirectory::create(root_ / "run");
  FakeRun run(config_, 5000);
  EngineOptions options;
  options.directory = &directory;
  EXPECT_THROW(drive(run, config_, options), Error);
  EXPECT_FALSE(directory.finished());
  EXPECT_THAT(text_of(root_ / "run/progress.csv"), HasSubstr("\n500,5000,"));
  EXPECT_EQ(failure_in_log(root_ / "run/log.txt"), "the fake run fails here");
}

TEST_F(EngineTest, AResumedRunIsNoLongerAFailedOne) {
  ASSERT_FALSE(drive_once(root_ / "run", false, 5000));
  EXPECT_EQ(failure_in_log(root_ / "run/log.txt"), std::nullopt);
  append_log(root_ / "run", "failed: two\nlines");
  EXPECT_EQ(failure_in_log(root_ / "run/log.txt"), "two lines");
  ASSERT_TRUE(drive_once(root_ / "run", true, -1));
  EXPECT_EQ(failure_in_log(root_ / "run/log.txt"), std::nullopt);
  // The same words inside a message are not a failure.
  append_log(root_ / "run", "warning: what Z failed: to do");
  EXPECT_EQ(failure_in_log(root_ / "run/log.txt"), std::nullopt);
  EXPECT_EQ(failure_in_log(root_ / "run/no such log.txt"), std::nullopt);
}

TEST(Checkpoint, EveryChangedByteIsNoticed) {
  Checkpoint checkpoint;
  checkpoint.config = "steps = 3\n";
  checkpoint.steps = 77;
  checkpoint.state.resize(100, std::byte{7});
  const auto good = encode(checkpoint);
  EXPECT_EQ(decode(good).steps, 77);
  EXPECT_EQ(decode(good).state, checkpoint.state);
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bad = good;
    bad[i] ^= std::byte{1};
    EXPECT_THROW(decode(bad), Error) << i;
    EXPECT_THROW(decode(std::span(good).first(i)), Error) << i;
  }
}

TEST(Records, NumbersAreShortestAndNonFiniteOnesAreEmpty) {
  NumberPrinter printer;
  const std::vector<double> cells = {1.0,
                                     1e15,
                                     1e17,
                                     0.1,
                                     -2.5e-300,
                                     std::nan(""),
                                     std::numeric_limits<double>::infinity(),
                                     -3.0,
                                     -0.0,
                                     0.30000000000000004};
  std::string line(most_csv_bytes(cells.size()), ' ');
  line.resize(static_cast<std::size_t>(print_csv_row(cells, printer, line.data()) - line.data()));
  EXPECT_EQ(line, "1,1000000000000000,1e+17,0.1,-2.5e-300,,,-3,-0,0.30000000000000004\n");
}

TEST(Records, CachedNumbersArePrintedTheSame) {
  std::mt19937_64 draw(5);
  NumberPrinter printer;
  std::vector<double> numbers(300);
  for (int round = 0; round < 60'000; ++round) {
    double& number = numbers[draw() % numbers.size()];
    switch (round % 6) {
      case 0:
        number = std::bit_cast<double>(draw());
        break;
      case 1:
        number = static_cast<double>(draw() % 600) / -155.0;
        break;
      case 2:
        number = std::ldexp(static_cast<double>(draw()), -static_cast<int>(draw() % 90));
        break;
      case 3:
        number = static_cast<double>(draw() % 1'000'000) / std::pow(10.0, static_cast<double>(draw() % 12));
        break;
      case 4:
        number = std::round(std::pow(10.0, static_cast<double>(draw() % 17))) - static_cast<double>(draw() % 2);
        break;
      default:
        break;  // as it was
    }
    std::string line(most_csv_bytes(1), ' ');
    line.resize(static_cast<std::size_t>(print_csv_row(std::span(&number, 1), printer, line.data()) - line.data()));
    const bool whole = number == std::trunc(number) && std::abs(number) < 1e15 && number != 0.0;
    EXPECT_EQ(line, !std::isfinite(number) ? "\n"
                    : whole                ? fmt::format("{}\n", static_cast<std::int64_t>(number))
                                           : fmt::format("{}\n", number));
  }
}

TEST(LiveLine, FitsAnyWidthAndKeepsTheImportantParts) {
  ProgressReport report;
  report.label = "ee_politex on deep_sea";
  report.steps = 450'000;
  report.total = 1'000'000;
  report.steps_per_second = 12'345'678;
  report.average_cost = -1.4512;
  for (int width = 0; width < 200; ++width) EXPECT_LE(progress_line_text(report, width).size(), std::size_t(width));
  EXPECT_EQ(progress_line_text(report, 200),
            " 45%  0 s left  cost -1.4512  12.3M steps/s  450k/1M steps  ee_politex on deep_sea");
  EXPECT_EQ(progress_line_text(report, 30), " 45%  0 s left  cost -1.4512");
  report.runs = 40;
  report.runs_done = 3;
  report.in_flight = 2;
  EXPECT_THAT(progress_line_text(report, 200), HasSubstr("3/40 runs  45%"));
  EXPECT_THAT(progress_line_text(report, 200), HasSubstr("2 running"));
  report.in_steps = false;
  report.in_flight = 0;
  EXPECT_EQ(progress_line_text(report, 200), "3/40 runs  45%  0 s left  cost -1.4512  ee_politex on deep_sea");
  report.steps_per_second = 0.0;  // nothing is known yet
  EXPECT_EQ(progress_line_text(report, 200), "3/40 runs  45%  cost -1.4512  ee_politex on deep_sea");
  report.steps = report.total;
  report.seconds = 75.0;
  EXPECT_THAT(progress_line_text(report, 200), HasSubstr("in 1:15 min"));
  EXPECT_EQ(duration_text(12.4), "12 s");
  EXPECT_EQ(duration_text(0.0912), "0.091 s");
  EXPECT_EQ(duration_text(9.94), "9.9 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(0.0), "0 s");
  EXPECT_EQ(short_count(33'100.0), "33.1k");
  EXPECT_EQ(short_count(8'050'000.0), "8.05M");
  EXPECT_EQ(short_count(999'900.0), "1M");
  EXPECT_EQ(duration_text(7300), "2:01 h");
}

TEST(LiveLine, AClosedDisplayDoesNotStopARun) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  {
    LiveLine line(false, full);
    line.show_now({});
    line.say("a word");
    line.close();
  }
  std::fclose(full);
}

TEST(LiveLine, TheFinalStateStaysOnTheTerminal) {
  const int outer = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(outer, 0);
  ASSERT_EQ(::grantpt(outer), 0);
  ASSERT_EQ(::unlockpt(outer), 0);
  std::FILE* terminal = std::fopen(::ptsname(outer), "w");
  ASSERT_NE(terminal, nullptr);
  {
    LiveLine line(false, terminal);
    ProgressReport report;
    report.steps = 1;
    report.total = 100;
    line.show_now(report);
    report.steps = 100;
    line.show(report);  // too soon after the first
  }
  std::fclose(terminal);
  std::string seen;
  std::array<char, 1000> part;
  for (ssize_t count = 0; (count = ::read(outer, part.data(), part.size())) > 0;)  // the kernel returns it in parts
    seen.append(part.data(), static_cast<std::size_t>(count));
  ::close(outer);
  EXPECT_THAT(seen, HasSubstr("100%  in 0"));
}

}  // namespace
}  // namespace politex
