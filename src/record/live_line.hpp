// The progress display: one line that is rewritten on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace politex::inline record {

struct ProgressReport {
  std::string label;
  std::int64_t steps = 0, total = 0;  // or any work that is proportional to time
  std::int64_t before = 0;            // steps done by an earlier process
  bool in_steps = true;
  double steps_per_second = 0.0;
  double seconds = 0.0;
  double average_cost = 0.0;
  int runs_done = 0, runs = 1, in_flight = 1;  // in_flight 0: unknown
};

/// Prints and ignores failures: a closed terminal, a broken pipe or a full disk must not stop a run.
void show_text(std::FILE* to, std::string_view text);

/// At most `width` columns; the least important parts are left out first.
std::string progress_line_text(const ProgressReport& report, int width);

class LiveLine {
 public:
  explicit LiveLine(bool quiet, std::FILE* to = stderr);
  ~LiveLine() { close(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Shows the report if it is time: a few times per second on a terminal, every five seconds elsewhere.
  void show(const ProgressReport& report);
  void show_now(const ProgressReport& report);
  /// Prints a message on its own line, above the live one.
  void say(const std::string& text);
  /// Ends the live line, so that the next output starts on a new line.
  void close();

 private:
  bool quiet_;
  std::FILE* to_;
  bool terminal_;
  bool open_ = false;
  ProgressReport newest_;  // perhaps not shown yet
  std::chrono::steady_clock::time_point shown_;
};

/// The progress line of a set of jobs that are not runs of the engine. Thread-safe.
class JobsLine {
 public:
  /// `work` is the sum of all done() calls, in any unit that is proportional to time.
  JobsLine(std::string label, std::size_t jobs, double work, std::FILE* to = stderr);
  ~JobsLine();
  JobsLine(const JobsLine&) = delete;
  JobsLine& operator=(const JobsLine&) = delete;

  /// Reports that a job of this much work is done.
  void done(double work);

 private:
  void update();

  std::mutex mutex_;
  LiveLine line_;
  ProgressReport report_;
  double work_done_ = 0.0, work_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace politex::inline record
