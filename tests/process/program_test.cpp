// The program with a user's environment server: runs whose environments fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ProcessProgram : public testing::Test {
 protected:
  void SetUp() override {
    here_ = fs::path(testing::TempDir()) / ("politex-process-" + std::to_string(getpid()));
    fs::remove_all(here_);
    fs::create_directories(here_);
    std::ofstream(here_ / "run.toml")
        << "steps = 6000\nseed = 2\n[environment]\nname = \"process\"\ncommand = \"" << (here_ / "server").string()
        << "\"\ntime_limit = 60.0\n[explorer]\nname = \"uniform\"\n[schedule]\nexplore = 7\n"
           "follow = 30\n";
    serve("");
  }
  void TearDown() override { fs::remove_all(here_); }

  void serve(const std::string& words) const {
    const auto file = here_ / "server";
    std::ofstream(file) << "#!/bin/sh\nexec " << POLITEX_PLAIN_SERVER << " " << words << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  /// Returns the exit status and stores the output in output_.
  int politex(const std::string& words) {
    const auto log = (here_ / "output").string();
    const int status = std::system((std::string("cd ") + here_.string() + " && " + POLITEX_PROGRAM + " run " + words +
                                    " --quiet >" + log + " 2>&1")
                                       .c_str());
    std::ostringstream text;
    text << std::ifstream(log).rdbuf();
    output_ = text.str();
    return WEXITSTATUS(status);
  }
  std::string progress(const std::string& run) const {
    std::ostringstream text;
    text << std::ifstream(here_ / run / "progress.csv").rdbuf();
    return text.str();
  }

  fs::path here_;
  std::string output_;
};

TEST_F(ProcessProgram, AFailingEnvironmentIsReportedAndTheRunResumesWhenFixed) {
  ASSERT_EQ(politex("run.toml --out whole"), 0) << output_;
  const auto whole = progress("whole");
  EXPECT_GT(whole.size(), 100U);
  for (const std::string fault : {"die", "hang", "state", "reward", "error", "flags", "escape"}) {
    serve(fault + "=3000");
    const std::string limit = fault == "hang" ? "environment.time_limit=3 " : "";
    EXPECT_EQ(politex("run.toml " + limit + "--checkpoint-seconds 0 --out " + fault), 1) << output_;
    EXPECT_THAT(output_, HasSubstr("environment 0"));
    EXPECT_THAT(output_, HasSubstr("politex run --resume " + fault));
    // No control character of a server steers the terminal.
    EXPECT_THAT(output_, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07"))));
    serve("");
    EXPECT_EQ(politex("--resume " + fault), 0) << output_;
    EXPECT_EQ(progress(fault), whole) << fault;
  }
}

TEST_F(ProcessProgram, BadInputEndsBeforeAnythingIsWritten) {
  EXPECT_EQ(politex("run.toml environment.command= --out bad"), 2);
  EXPECT_THAT(output_, HasSubstr("environment.command"));
  EXPECT_EQ(politex("run.toml environment.command=./nothing-here --out bad"), 2);
  EXPECT_THAT(output_, HasSubstr("nothing-here: cannot be started"));
  serve("version=2");
  EXPECT_EQ(politex("run.toml --out bad"), 1);
  EXPECT_THAT(output_, HasSubstr("version 2"));
  EXPECT_FALSE(fs::exists(here_ / "bad"));
}

TEST_F(ProcessProgram, AnswersMayEndWithANewline) {
  ASSERT_EQ(politex("run.toml --out whole"), 0) << output_;
  serve("newline");
  EXPECT_EQ(politex("run.toml --out lines"), 0) << output_;
  EXPECT_EQ(progress("lines"), progress("whole"));
}

TEST_F(ProcessProgram, ASweepOfAnImpossibleEnvironmentEndsAtOnce) {
  const std::string sweep = std::string("cd ") + here_.string() + " && " + POLITEX_PROGRAM +
                            " sweep run.toml environment.command=./nothing-here --seeds 20 --quiet --out bad 2>output";
  EXPECT_EQ(WEXITSTATUS(std::system(sweep.c_str())), 2);
  EXPECT_FALSE(fs::exists(here_ / "bad"));
}

TEST_F(ProcessProgram, AServerThatCannotSaveStillWorks) {
  serve("nosave");
  EXPECT_EQ(politex("run.toml --out once"), 0) << output_;
}

}  // namespace
