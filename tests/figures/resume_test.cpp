// A figure that is killed or stopped resumes: the same files, and no finished run is repeated.
#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <thread>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

class FigureResumeTest : public ProgramTest, public ::testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> command(const std::string& out) const {
    return {"reproduce", GetParam(), "--quick", "--seeds", "2", "--jobs", "1", "--out", out};
  }

  // The finished runs and the bytes of their summaries, which contain the time that a run took.
  std::map<std::string, std::string> finished(const std::string& out) const {
    std::map<std::string, std::string> summaries;
    std::error_code error;
    for (fs::directory_iterator it(work_ / out / "runs", error), end; !error && it != end; it.increment(error))
      if (const std::string text = text_of(it->path() / "summary.json"); !text.empty())
        summaries[it->path().filename().string()] = text;
    return summaries;
  }

  void wait_for_runs(const std::string& out, std::size_t count) const {
    for (int i = 0; i < 60'000 && finished(out).size() < count; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::map<std::string, std::string> tables(const std::string& out) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(work_ / out))
      if (entry.path().extension() == ".csv") all[entry.path().filename().string()] = text_of(entry.path());
    return all;
  }
};

TEST_P(FigureResumeTest, KilledAndStoppedItEndsWithTheSameTables) {
  ASSERT_EQ(run(command("whole")).status, 0);
  std::size_t least = 2;
  for (const int signal : {SIGKILL, SIGTERM, SIGKILL}) {
    const auto before = finished("cut");
    const pid_t child = start(command("cut"));
    wait_for_runs("cut", before.size() + least);
    ::kill(child, signal);
    const Ended ended = wait(child);
    if (ended.status == 0) break;  // it was finished first
    EXPECT_EQ(ended.status, 128 + signal);
    if (signal == SIGTERM) {
      EXPECT_THAT(ended.err, ::testing::HasSubstr("to resume, rerun the same command"));
    }
    const auto after = finished("cut");
    for (const auto& [name, summary] : before) EXPECT_EQ(after.at(name), summary) << name << " was repeated";
    EXPECT_FALSE(fs::exists(work_ / "cut/report.html"));
    least += 3;
  }
  const auto before = finished("cut");
  EXPECT_GE(before.size(), 2U);
  EXPECT_EQ(run(command("cut")).status, 0);
  const auto after = finished("cut");
  EXPECT_EQ(after.size(), finished("whole").size());
  for (const auto& [name, summary] : before) EXPECT_EQ(after.at(name), summary) << name << " was repeated";
  EXPECT_FALSE(tables("whole").empty());
  EXPECT_EQ(tables("whole"), tables("cut"));
}

INSTANTIATE_TEST_SUITE_P(Figures, FigureResumeTest,
                         ::testing::Values("deep_sea", "theory", "exploration", "field", "control"));

}  // namespace
}  // namespace politex::cli
