#include "politex/record/live_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "politex/base/duration.hpp"

namespace politex::inline record {
namespace {

int width_of(std::FILE* file) {
  winsize size{};
  if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

void show_text(std::FILE* to, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
  std::clearerr(to);
}

std::string progress_line_text(const ProgressReport& report, int width) {
  const double share = report.total > 0 ? static_cast<double>(report.steps) / static_cast<double>(report.total) : 1.0;
  const bool many = report.runs > 1;
  // In order of importance; a part that does not fit is dropped, a later one may still fit.
  std::string text =
      many ? fmt::format("{}/{} runs", report.runs_done, report.runs) : fmt::format("{:3.0f}%", 100.0 * share);
  const auto add = [&](const std::string& part) {
    if (static_cast<int>(text.size() + part.size() + 2) <= width) text += "  " + part;
  };
  if (many) add(fmt::format("{:.0f}%", 100.0 * share));
  if (report.steps >= report.total)
    add(fmt::format("in {}", duration_text(report.seconds)));
  else if (report.steps_per_second > 0.0)
    add(fmt::format("{} left", duration_text(std::round(static_cast<double>(report.total - report.steps) /
                                                        report.steps_per_second))));
  if (!std::isnan(report.average_cost)) add(fmt::format("cost {:.4f}", report.average_cost));
  if (many && report.in_flight > 0) add(fmt::format("{} running", report.in_flight));
  if (report.in_steps) {
    add(fmt::format("{} steps/s", short_count(report.steps_per_second)));
    add(fmt::format("{}/{} steps", short_count(static_cast<double>(report.steps)),
                    short_count(static_cast<double>(report.total))));
  }
  add(report.label);
  if (static_cast<int>(text.size()) > width) text.resize(static_cast<std::size_t>(std::max(0, width)));
  return text;
}

LiveLine::LiveLine(bool quiet, std::FILE* to)
    : quiet_(quiet), to_(to), terminal_(isatty(fileno(to)) != 0), shown_(std::chrono::steady_clock::now()) {}

void LiveLine::show(const ProgressReport& report) {
  newest_ = report;
  if (std::chrono::steady_clock::now() - shown_ >= std::chrono::milliseconds(terminal_ ? 200 : 5000)) show_now(report);
}

void LiveLine::show_now(const ProgressReport& report) {
  newest_ = report;
  if (quiet_) return;
  shown_ = std::chrono::steady_clock::now();
  // The last column stays free: some terminals wrap when it is filled.
  const std::string text = progress_line_text(report, terminal_ ? width_of(to_) - 1 : 160);
  show_text(to_, terminal_ ? fmt::format("\r{}\x1b[K", text) : text + "\n");
  open_ = terminal_;
}

void LiveLine::say(const std::string& text) {
  show_text(to_, (open_ ? "\r\x1b[K" : "") + text + "\n");
  open_ = false;
}

void LiveLine::close() {
  if (open_) {
    show_now(newest_);  // leaves the final state on the screen
    show_text(to_, "\n");
  }
  open_ = false;
}

JobsLine::JobsLine(std::string label, std::size_t jobs, double work, std::FILE* to)
    : line_(false, to), work_(work), start_(std::chrono::steady_clock::now()) {
  report_.label = std::move(label);
  report_.total = 1'000'000;
  report_.in_steps = false;
  report_.average_cost = std::nan("");
  report_.runs = static_cast<int>(jobs);
  report_.in_flight = 0;
  line_.show_now(report_);
}

JobsLine::~JobsLine() {
  update();
  line_.show_now(report_);
}

void JobsLine::done(double work) {
  const std::lock_guard lock(mutex_);
  ++report_.runs_done;
  work_done_ += work;
  update();
  line_.show(report_);
}

void JobsLine::update() {
  const double share = work_ > 0.0 ? std::clamp(work_done_ / work_, 0.0, 1.0) : 1.0;
  const bool all = report_.runs_done >= report_.runs;
  report_.steps = all ? report_.total : std::min<std::int64_t>(report_.total - 1, std::llround(share * 1e6));
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  // Earlier estimates are not reliable.
  if (share >= 0.02 && report_.seconds >= 1.0)
    report_.steps_per_second = static_cast<double>(report_.steps) / report_.seconds;
}

}  // namespace politex::inline record
