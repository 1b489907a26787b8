// The progress line of an iteration that narrows the bounds of a gain.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "politex/iterative/gains.hpp"

namespace politex::inline record {

/// "optimal gain in [19.2, 21.7], 12 s, about 30 s left". The time left assumes that the logarithm of the width falls
/// as steadily as so far; it is left out where nothing can be said.
std::string iteration_line_text(const IterationProgress& now, double first_width, double seconds);

/// Nothing is shown in the first second. Later the line is rewritten on a terminal, and printed every five seconds
/// elsewhere.
class IterationLine {
 public:
  explicit IterationLine(std::FILE* to = stderr);
  ~IterationLine() { close(); }
  IterationLine(const IterationLine&) = delete;
  IterationLine& operator=(const IterationLine&) = delete;

  void show(const IterationProgress& now);
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  std::FILE* to_;
  bool terminal_;
  bool open_ = false;
  std::string what_;  // what is iterated
  double first_width_ = 0.0;
  Clock::time_point start_, shown_;
};

}  // namespace politex::inline record
