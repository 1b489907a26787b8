#include "politex/lab/live_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "politex/lab/progress_line.hpp"

namespace politex::lab {
namespace {

int width_of(std::FILE* file) {
  winsize size{};
  if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string short_count(double count) {
  for (const auto& [unit, letter] : {std::pair{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}})
    if (std::abs(count) >= 0.9995 * unit) return fmt::format("{:.3g}{}", count / unit, letter);
  return fmt::format("{:.0f}", count);
}

std::string progress_line_text(const ProgressReport& report, int width) {
  const double share = report.total > 0 ? static_cast<double>(report.steps) / static_cast<double>(report.total) : 1.0;
  const bool many = report.runs > 1;
  // By importance; each part is dropped where it no longer fits, and the next one may still.
  std::string text =
      many ? fmt::format("{}/{} runs", report.runs_done, report.runs) : fmt::format("{:3.0f}%", 100.0 * share);
  const auto add = [&](const std::string& part) {
    if (static_cast<int>(text.size() + part.size() + 2) <= width) text += "  " + part;
  };
  if (many) add(fmt::format("{:.0f}%", 100.0 * share));
  if (report.steps < report.total && report.steps_per_second > 0.0)
    add(fmt::format("{} left",
                    duration_text(static_cast<double>(report.total - report.steps) / report.steps_per_second)));
  if (!std::isnan(report.average_cost)) add(fmt::format("cost {:.4f}", report.average_cost));
  if (many) add(fmt::format("{} running", report.in_flight));
  add(fmt::format("{} steps/s", short_count(report.steps_per_second)));
  add(fmt::format("{}/{} steps", short_count(static_cast<double>(report.steps)),
                  short_count(static_cast<double>(report.total))));
  add(report.label);
  if (static_cast<int>(text.size()) > width) text.resize(static_cast<std::size_t>(std::max(0, width)));
  return text;
}

LiveLine::LiveLine(bool quiet, std::FILE* to)
    : quiet_(quiet), to_(to), terminal_(isatty(fileno(to)) != 0), shown_(std::chrono::steady_clock::now()) {}

void LiveLine::show(const ProgressReport& report) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::milliseconds(terminal_ ? 200 : 5000)) return;
  shown_ = now;
  // The last column stays free: some terminals wrap when it is filled.
  const std::string text = progress_line_text(report, terminal_ ? width_of(to_) - 1 : 160);
  if (terminal_)
    fmt::print(to_, "\r{}\x1b[K", text);
  else
    fmt::print(to_, "{}\n", text);
  open_ = terminal_;
  std::fflush(to_);
}

void LiveLine::say(const std::string& text) {
  if (open_) fmt::print(to_, "\r\x1b[K");
  open_ = false;
  fmt::print(to_, "{}\n", text);
  std::fflush(to_);
}

void LiveLine::close() {
  if (open_) fmt::print(to_, "\n");
  open_ = false;
  std::fflush(to_);
}

}  // namespace politex::lab
