// One line that tells how far a set of jobs is and when it will be done.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>

namespace politex::lab {

/// "1:05" or "12 s": what a person reads at a glance.
std::string duration_text(double seconds);

/// The text of the line, at most `width` columns; `share` is the part of the work that is done, 0..1.
std::string progress_text(const std::string& label, std::size_t done, std::size_t total, double share, double seconds,
                          int width);

/// On a terminal one line that is rewritten, elsewhere a plain line every few seconds. Safe to call from many threads.
class ProgressLine {
 public:
  /// `work` is the whole of what advance() will add up to, in any unit that is proportional to time.
  ProgressLine(std::string label, std::size_t jobs, double work, std::FILE* to = stderr);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Some work was done; `jobs` of them ended by it.
  void advance(double work, std::size_t jobs);
  double seconds() const;

 private:
  void draw(bool last);

  std::mutex mutex_;
  std::string label_;
  std::size_t done_ = 0, total_ = 0;
  double work_done_ = 0.0, work_ = 0.0;
  std::FILE* to_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_, drawn_;
};

}  // namespace politex::lab
