// What a person sees while something runs: one line that is rewritten on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace politex::lab {

struct ProgressReport {
  std::string label;
  std::int64_t steps = 0, total = 0;  // or any work that is proportional to time
  std::int64_t before = 0;            // of the steps those that an earlier process did
  bool in_steps = true;
  double steps_per_second = 0.0;
  double seconds = 0.0;
  double average_cost = 0.0;
  int runs_done = 0, runs = 1, in_flight = 1;  // in flight 0: not known
};

/// A display that is gone (a closed terminal, a pipe whose reader ended, a full disk) is no reason to stop a run.
void show_text(std::FILE* to, std::string_view text);

/// "1:05 min" or "12 s": what a person reads at a glance.
std::string duration_text(double seconds);

/// At most `width` columns; what matters least is left out first.
std::string progress_line_text(const ProgressReport& report, int width);

/// 12, 4.5k, 1.2M, 3G.
std::string short_count(double count);

class LiveLine {
 public:
  explicit LiveLine(bool quiet, std::FILE* to = stderr);
  ~LiveLine() { close(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Shows the report if it is time: a few times a second on a terminal, every five seconds elsewhere.
  void show(const ProgressReport& report);
  void show_now(const ProgressReport& report);
  /// A message of its own line, above the live one.
  void say(const std::string& text);
  /// Ends the live line, so that what comes next begins a line.
  void close();

 private:
  bool quiet_;
  std::FILE* to_;
  bool terminal_;
  bool open_ = false;
  ProgressReport newest_;  // told, and perhaps not shown yet
  std::chrono::steady_clock::time_point shown_;
};

/// The line of a set of jobs that are no runs of the engine, from its beginning to its end. Safe to call from many
/// threads.
class JobsLine {
 public:
  /// `work` is the whole of what done() will add up to, in any unit that is proportional to time.
  JobsLine(std::string label, std::size_t jobs, double work, std::FILE* to = stderr);
  ~JobsLine();
  JobsLine(const JobsLine&) = delete;
  JobsLine& operator=(const JobsLine&) = delete;

  /// A job of so much work is done.
  void done(double work);

 private:
  void update();

  std::mutex mutex_;
  LiveLine line_;
  ProgressReport report_;
  double work_done_ = 0.0, work_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace politex::lab
