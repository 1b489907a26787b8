// Runs the real program in a child process, in a fresh directory.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace politex::cli {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void write_text(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

struct Ended {
  int status = 0;  // exit status, or 128 + the signal that killed it
  std::string out, err;
};

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    std::string name = (fs::temp_directory_path() / "politex-cli-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    work_ = root_ / "work";
    fs::create_directory(work_);
  }
  ~ProgramTest() override { fs::remove_all(root_); }

  // Returns the process id of the child; its output goes to files that are not in the working directory.
  pid_t start(const std::vector<std::string>& arguments, const std::string& name = "std",
              std::uint64_t file_limit = 0) {
    std::vector<std::string> all = {POLITEX_PROGRAM};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const std::string out = (root_ / (name + ".out")).string();
    const std::string err = (root_ / (name + ".err")).string();
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(out_file, 1);
    ::dup2(err_file, 2);
    if (::chdir(work_.c_str()) != 0) ::_exit(99);
    if (file_limit > 0) {
      const rlimit limit{file_limit, file_limit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ::execv(all[0].c_str(), pointers.data());
    ::_exit(98);
  }

  Ended wait(pid_t child, const std::string& name = "std") {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(root_ / (name + ".out")),
            text_of(root_ / (name + ".err"))};
  }

  Ended run(const std::vector<std::string>& arguments, std::uint64_t file_limit = 0) {
    return wait(start(arguments, "std", file_limit));
  }

  // The files below the working directory, without those of the test itself.
  std::vector<std::string> written() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(work_))
      if (entry.path().filename().string().rfind("given", 0) != 0)
        names.push_back(entry.path().lexically_relative(work_).string());
    return names;
  }

  std::string given(const std::string& name, const std::string& text) {
    write_text(work_ / ("given-" + name), text);
    return "given-" + name;
  }

  fs::path root_, work_;
};

}  // namespace politex::cli
