// The records of a run: progress.csv (one row per phase, no wall-clock times), TensorBoard events, timing.csv, log.txt.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/output_file.hpp"
#include "politex/record/events.hpp"
#include "politex/record/row_writer.hpp"

namespace politex::inline record {

class Records {
 public:
  /// Lengths to which the files are truncated; 0 starts them from scratch.
  struct Kept {
    std::int64_t progress = 0;
    std::int64_t timing = 0;
    std::int64_t events = 0;
    std::int64_t pictures = 0;
    std::int64_t steps = 0;  // done when the files had these lengths
    bool begun = true;       // there may be files of an earlier process
  };

  /// Writes about 500 events over `total_steps`, chosen by steps and not by time. `picture_frame` is the first line of
  /// pictures.jsonl; if it is empty, that file is not written.
  Records(const std::filesystem::path& directory, const std::vector<std::string>& columns, std::int64_t total_steps,
          const std::string& picture_frame, Kept kept);

  /// Files that were shorter than in the checkpoint and were restarted.
  const std::vector<std::string>& restarted_files() const noexcept { return restarted_files_; }

  void row(std::span<const double> cells);
  void picture(std::string_view line);
  void timing(std::int64_t steps, double seconds);
  /// Appends a line with the time to log.txt and flushes it.
  void log(std::string_view text);

  /// Writes all buffers to the files.
  void flush();
  /// flush() and start writing the rows to disk, so that a later sync() waits less.
  void begin_sync();
  /// flush() and wait until the rows are on disk.
  void sync();
  /// Files that were deleted or replaced since they were opened.
  std::vector<std::filesystem::path> lost_files() const;
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
  std::vector<std::string> restarted_files_;
};

/// The message for the user about an error that is not one of ours.
std::string reason_of(const std::exception& error);

/// Appends a line to log.txt without a Records object; best effort, failures are ignored.
void append_log(const std::filesystem::path& directory, std::string_view text);

/// The reason of failure in the last line of a log.txt; nothing if that line reports no failure.
std::optional<std::string> failure_in_log(const std::filesystem::path& file);

}  // namespace politex::inline record
