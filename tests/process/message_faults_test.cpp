// An environment server that fails at every kind of message of the protocol: the program says so with status 1 or 2 or
// does not mind, leaves no process, and the run can be resumed to the bytes of an undisturbed one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class MessageFaults : public testing::Test {
 protected:
  void SetUp() override {
    here_ = fs::path(testing::TempDir()) / ("politex-messages-" + std::to_string(getpid()));
    fs::remove_all(here_);
    fs::create_directories(here_);
    std::ofstream(here_ / "run.toml") << "steps = 24\nseed = 2\n[environment]\nname = \"process\"\ncommand = \""
                                      << (here_ / "server").string()
                                      << "\"\ntime_limit = 60.0\n[explorer]\nname = \"uniform\"\n[schedule]\n"
                                         "rollouts = 1\nexplore = 2\nfollow = 5\n";
    serve("");
    EXPECT_EQ(politex(begin("whole")), 0) << output_;
    expected_ = outcome("whole");
    std::istringstream words(text_of(here_ / "messages"));
    for (std::string word; words >> word;) messages_.push_back(word);
  }
  void TearDown() override { fs::remove_all(here_); }

  void serve(const std::string& words) const {
    fs::remove(here_ / "messages");
    const auto file = here_ / "server";
    std::ofstream(file) << "#!/bin/sh\nexec " << POLITEX_PLAIN_SERVER << " count=" << (here_ / "messages").string()
                        << " " << words << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  static std::string begin(const std::string& run) { return "run.toml --checkpoint-seconds 0 --out " + run; }
  static std::string resume(const std::string& run) { return "--checkpoint-seconds 0 --resume " + run; }
  /// The exit status; 137 if it had to be killed after a minute.
  int politex(const std::string& words) {
    const std::string line = "cd " + here_.string() + " && timeout -s KILL 60 " + POLITEX_PROGRAM + " run " + words +
                             " --quiet >output 2>&1";
    const int status = std::system(line.c_str());
    output_ = text_of(here_ / "output");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string outcome(const std::string& run) const {
    static const std::regex signature("\"signature\": *\"([0-9a-f]*)\"");
    std::smatch found;
    const std::string summary = text_of(here_ / run / "summary.json");
    return text_of(here_ / run / "progress.csv") +
           (std::regex_search(summary, found, signature) ? found[1].str() : "no signature");
  }
  /// Whether a server of this test is left after some time: the system may still be ending it.
  bool server_is_left() const {
    for (int patience = 0; patience < 500; ++patience) {
      bool found = false;
      std::error_code ignored;
      for (const auto& process : fs::directory_iterator("/proc", ignored)) {
        const std::string words = text_of(process.path() / "cmdline");
        found = found || words.find("count=" + (here_ / "messages").string()) != std::string::npos;
      }
      if (!found) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }
  /// What must hold after the command of a run that met a fault; then the run is finished.
  void expect_sound(int status, const std::string& run, const std::string& what) {
    EXPECT_TRUE(status == 0 || status == 1 || status == 2) << what << ": status " << status << ": " << output_;
    EXPECT_FALSE(server_is_left()) << what;
    EXPECT_EQ(output_.find('\x1b'), std::string::npos) << what;
    serve("");
    if (status != 0) {
      EXPECT_NE(output_.find("politex: "), std::string::npos) << what << ": " << output_;
      const bool begun = fs::exists(here_ / run / "config.toml");
      EXPECT_EQ(politex(begun ? resume(run) : begin(run)), 0) << what << ": " << output_;
    }
    EXPECT_EQ(outcome(run), expected_) << what;
    fs::remove_all(here_ / run);
  }
  /// The number of a message of this kind, counted from 1: the first one, or the last.
  std::size_t first(const std::string& kind) const {
    return static_cast<std::size_t>(std::ranges::find(messages_, kind) - messages_.begin()) + 1;
  }
  std::size_t last(const std::string& kind) const {
    std::size_t at = messages_.size();
    while (at > 0 && messages_[at - 1] != kind) --at;
    return at;
  }

  fs::path here_;
  std::string output_, expected_;
  std::vector<std::string> messages_;  // of the undisturbed run
};

// A time limit that is too short for a busy machine ends a run too, and what must hold afterwards is the same.
std::string limit(const std::string& fault) {
  return fault == "hang" || fault == "stop" || fault == "deaf" ? " environment.time_limit=0.3" : "";
}

const std::vector<std::string> faults = {"die",   "leave", "hang", "stop",  "pause", "garbage",
                                         "empty", "short", "long", "twice", "flood", "deaf"};

TEST_F(MessageFaults, AtTheGreetingTheMemoryAStepAndASave) {
  for (const std::size_t at : {first("politex"), first("memory"), last("step"), first("save")})
    for (const std::string& fault : faults) {
      const std::string what = fault + " at " + messages_[at - 1] + ", message " + std::to_string(at);
      serve("at=" + std::to_string(at) + " fault=" + fault);
      expect_sound(politex(begin("faulty") + limit(fault)), "faulty", what);
    }
}

TEST_F(MessageFaults, AtARestore) {
  serve("at=" + std::to_string(last("step")) + " fault=die");
  EXPECT_EQ(politex(begin("broken")), 1) << output_;
  for (const std::size_t at : {3, 4})  // restore, and its bytes
    for (const std::string& fault : faults) {
      fs::copy(here_ / "broken", here_ / "faulty", fs::copy_options::recursive);
      serve("at=" + std::to_string(at) + " fault=" + fault);
      expect_sound(politex(resume("faulty") + limit(fault)), "faulty",
                   fault + " at message " + std::to_string(at) + " of a resumed run");
    }
}

TEST_F(MessageFaults, AServerThatDoesNotLeaveIsEnded) {
  serve("after=bye");
  expect_sound(politex(begin("faulty")), "faulty", "it stays");
}

}  // namespace
