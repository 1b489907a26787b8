#include "politex/record/iteration_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "politex/base/duration.hpp"
#include "politex/record/live_line.hpp"

namespace politex::inline record {
namespace {

double seconds_of_iteration(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

std::string iteration_line_text(const IterationProgress& now, double first_width, double seconds) {
  std::string text = now.what;
  if (std::isfinite(now.bounds.width())) text += fmt::format(" in [{:.8g}, {:.8g}]", now.bounds.low, now.bounds.high);
  text += fmt::format(", {}", duration_text(seconds));
  const double done = std::log(first_width / now.width), all = std::log(first_width / now.wanted);
  if (std::isfinite(all) && done > 0.05 * all && done < all)
    text += fmt::format(", about {} left", duration_text(seconds * (all / done - 1.0)));
  return text;
}

IterationLine::IterationLine(std::FILE* to)
    : to_(to), terminal_(isatty(fileno(to)) != 0), start_(Clock::now()), shown_(start_) {}

void IterationLine::show(const IterationProgress& now) {
  const Clock::time_point time = Clock::now();
  if (what_ != now.what) {
    what_ = now.what;
    first_width_ = now.width;
    start_ = time;
  }
  if (seconds_of_iteration(shown_, time) < (open_ && terminal_ ? 0.3 : terminal_ ? 1.0 : 5.0)) return;
  shown_ = time;
  const std::string text = iteration_line_text(now, first_width_, seconds_of_iteration(start_, time));
  show_text(to_, terminal_ ? fmt::format("\r\033[K{}", text) : text + "\n");
  open_ = true;
}

void IterationLine::close() {
  if (open_ && terminal_) show_text(to_, "\r\033[K");
  open_ = false;
}

}  // namespace politex::inline record
