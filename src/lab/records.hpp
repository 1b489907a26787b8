// The records of a run: progress.csv (one row a phase, no wall-clock), TensorBoard events, timing.csv, log.txt.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/events.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/row_writer.hpp"

namespace politex::lab {

class Records {
 public:
  /// Lengths to which the files are cut back; 0 begins them anew.
  struct Kept {
    std::int64_t progress = 0;
    std::int64_t timing = 0;
    std::int64_t events = 0;
    std::int64_t pictures = 0;
    std::int64_t steps = 0;  // done when they had these lengths
    bool begun = true;       // there may be files of another process
  };

  /// `total_steps`: events are thinned to about five hundred over the run, by steps and not by time.
  /// `picture_frame` is the first line of pictures.jsonl; empty: there is no such file.
  Records(const std::filesystem::path& directory, const std::vector<std::string>& columns, std::int64_t total_steps,
          const std::string& picture_frame, Kept kept);

  /// What had lost some of its bytes since it was saved, and has nothing of before now.
  const std::vector<std::string>& begun_anew() const noexcept { return begun_anew_; }

  void row(std::span<const double> cells);
  void picture(std::string_view line);
  void timing(std::int64_t steps, double seconds);
  /// A line of log.txt, with the time of day; on the disk at once.
  void log(std::string_view text);

  /// Everything told so far is in the files.
  void flush();
  /// And the rows are on their way to the disk: a sync() that comes later waits less.
  void begin_sync();
  /// And the rows are on the disk.
  void sync();
  /// Lengths as of the last flush() or sync().
  Kept size() const noexcept {
    return {.progress = progress_.size(),
            .timing = timing_.size(),
            .events = events_.size(),
            .pictures = pictures_ ? pictures_->size() : 0,
            .steps = steps_};
  }

 private:
  double event_after(double steps) const;

  std::size_t width_;
  RowWriter progress_;
  OutputFile timing_;
  OutputFile log_;
  EventsWriter events_;
  std::optional<OutputFile> pictures_;
  double event_stride_;
  double total_steps_;
  std::int64_t steps_;
  double next_event_;
  std::vector<std::string> begun_anew_;
};

/// A line of log.txt for who has no records open. What cannot be written is left out: the caller has worse to tell.
void append_log(const std::filesystem::path& directory, std::string_view text);

/// Why the run that wrote this log.txt failed; nothing where its last line tells no failure.
std::optional<std::string> failure_in_log(const std::filesystem::path& file);

}  // namespace politex::lab
