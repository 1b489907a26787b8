#include "politex/record/records.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <new>

#include "politex/base/error.hpp"

namespace politex::inline record {
namespace {

std::vector<std::string> tags_of(const std::vector<std::string>& columns) {
  std::vector<std::string> tags = {"average_cost", "phase_average_cost"};
  tags.insert(tags.end(), columns.begin(), columns.end());
  return tags;
}

// Always a single line, because the last line of the log says how a run ended.
std::string log_line(std::string_view text) {
  std::string line = fmt::format("{:%Y-%m-%d %H:%M:%S}Z {}", fmt::gmtime(std::time(nullptr)), text);
  std::ranges::replace(line, '\n', ' ');
  return line + "\n";
}

constexpr std::string_view failed_mark = "Z failed: ";

}  // namespace

Records::Records(const std::filesystem::path& directory, const std::vector<std::string>& columns,
                 std::int64_t total_steps, const std::string& picture_frame, Kept kept)
    : width_(4 + columns.size()),
      progress_(OutputFile(directory / "progress.csv", kept.progress), width_),
      timing_(directory / "timing.csv", keep_or_begin(directory / "timing.csv", kept.timing)),
      log_(directory / "log.txt", OutputFile::keep_all),
      events_(directory, tags_of(columns), kept.begun ? std::optional(kept.events) : std::nullopt),
      event_stride_(std::max(1.0, static_cast<double>(total_steps) / 500.0)),
      total_steps_(static_cast<double>(total_steps)),
      steps_(kept.steps),
      next_event_(kept.steps == 0 ? 0.0 : event_after(static_cast<double>(kept.steps))) {
  if (kept.progress == 0)
    progress_.text(fmt::format("phase,steps,average_cost,phase_average_cost{}{}\n", columns.empty() ? "" : ",",
                               fmt::join(columns, ",")));
  if (events_.size() < kept.events) restarted_files_.emplace_back("the events file");
  if (timing_.size() < kept.timing) restarted_files_.emplace_back("timing.csv");
  if (timing_.size() == 0) timing_.write("steps,seconds\n");
  if (!picture_frame.empty()) {
    const std::filesystem::path file = directory / "pictures.jsonl";
    pictures_.emplace(file, keep_or_begin(file, kept.pictures));
    if (pictures_->size() < kept.pictures) restarted_files_.emplace_back("pictures.jsonl");
    if (pictures_->size() == 0) pictures_->write(picture_frame);
  }
}

void Records::row(std::span<const double> cells) {
  if (cells.size() != width_)
    throw Error(fmt::format("a row of {} cells for progress.csv; expected {}", cells.size(), width_));
  progress_.row(cells);
  const double steps = cells[1];
  steps_ = static_cast<std::int64_t>(steps);
  if (steps < next_event_ && steps < total_steps_) return;
  events_.scalars(static_cast<std::int64_t>(steps), cells.subspan(2));
  next_event_ = event_after(steps);
}

double Records::event_after(double steps) const { return (std::floor(steps / event_stride_) + 1.0) * event_stride_; }

void Records::picture(std::string_view line) {
  if (pictures_) pictures_->write(line);
}

void Records::timing(std::int64_t steps, double seconds) { timing_.write(fmt::format("{},{:.3f}\n", steps, seconds)); }

void Records::log(std::string_view text) {
  log_.write(log_line(text));
  log_.flush();
}

void Records::flush() {
  progress_.flush();
  timing_.flush();
  events_.flush();
  if (pictures_) pictures_->flush();
}

void Records::begin_sync() {
  flush();
  progress_.begin_sync();
}

void Records::sync() {
  flush();
  progress_.sync();  // results do not depend on the other files
}

std::vector<std::filesystem::path> Records::lost_files() const {
  std::vector<const OutputFile*> files = {&progress_.file(), &timing_, &log_, &events_.file()};
  if (pictures_) files.push_back(&*pictures_);
  std::vector<std::filesystem::path> lost;
  for (const OutputFile* file : files)
    if (!file->in_place()) lost.push_back(file->path());
  return lost;
}

std::string reason_of(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

void append_log(const std::filesystem::path& directory, std::string_view text) {
  std::ofstream(directory / "log.txt", std::ios::binary | std::ios::app) << log_line(text);
}

std::optional<std::string> failure_in_log(const std::filesystem::path& file) {
  std::error_code failure;
  if (std::filesystem::symlink_status(file, failure).type() != std::filesystem::file_type::regular) return std::nullopt;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return std::nullopt;
  in.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - 4000));
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) last.swap(line);
  const auto mark = last.find(failed_mark);
  if (mark != std::string("2026-01-01 00:00:00").size()) return std::nullopt;
  return last.substr(mark + failed_mark.size());
}

}  // namespace politex::inline record
