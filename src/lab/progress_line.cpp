#include "politex/lab/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace politex::lab {

namespace {

int columns_of(std::FILE* file) {
  winsize size{};
  if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::lround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string progress_text(const std::string& label, std::size_t done, std::size_t total, double share, double seconds,
                          int width) {
  std::string text = fmt::format("{}  {}/{} runs", label, done, total);
  const auto add = [&](const std::string& part) {
    if (static_cast<int>(text.size() + part.size()) <= width) text += part;
  };
  add(fmt::format("  {:.0f}%", 100.0 * share));
  if (done == total) {
    add(fmt::format("  in {}", duration_text(seconds)));
  } else if (share >= 0.02 && seconds >= 1.0) {  // earlier than that an estimate is a guess
    add(fmt::format("  {} left", duration_text(seconds * (1.0 - share) / share)));
  }
  if (static_cast<int>(text.size()) > width) text.resize(static_cast<std::size_t>(std::max(0, width)));
  return text;
}

ProgressLine::ProgressLine(std::string label, std::size_t jobs, double work, std::FILE* to)
    : label_(std::move(label)),
      total_(jobs),
      work_(work),
      to_(to),
      terminal_(isatty(fileno(to)) != 0),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_) {
  draw(false);
}

ProgressLine::~ProgressLine() {
  const std::lock_guard lock(mutex_);
  draw(true);
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressLine::advance(double work, std::size_t jobs) {
  const std::lock_guard lock(mutex_);
  done_ += jobs;
  work_done_ += work;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000))) return;
  drawn_ = now;
  draw(false);
}

void ProgressLine::draw(bool last) {
  const double share = work_ > 0.0 ? std::clamp(work_done_ / work_, 0.0, 1.0) : 1.0;
  const int width = terminal_ ? columns_of(to_) - 1 : 200;
  const std::string text = progress_text(label_, done_, total_, share, seconds(), width);
  if (terminal_) {
    fmt::print(to_, "\r{}\x1b[K{}", text, last ? "\n" : "");
  } else {
    fmt::print(to_, "{}\n", text);
  }
  std::fflush(to_);
}

}  // namespace politex::lab
