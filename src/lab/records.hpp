// The records of a run: progress.csv (one row a phase, no wall-clock), TensorBoard events, timing.csv, log.txt.
#pragma once

#include <cstdint>
#include <filesystem>
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
    std::int64_t steps = 0;  // done when they had these lengths
  };

  /// `total_steps`: events are thinned to about a thousand over the run, by steps and not by time.
  Records(const std::filesystem::path& directory, const std::vector<std::string>& columns, std::int64_t total_steps,
          Kept kept);

  void row(std::span<const double> cells);
  void timing(std::int64_t steps, double seconds);
  /// A line of log.txt, with the time of day; on the disk at once.
  void log(std::string_view text);

  /// Everything told so far is in the files.
  void flush();
  /// And the rows are on the disk.
  void sync();
  /// Lengths as of the last flush() or sync().
  Kept size() const noexcept {
    return {.progress = progress_.size(), .timing = timing_.size(), .events = events_.size(), .steps = steps_};
  }

 private:
  double event_after(double steps) const;

  std::size_t width_;
  RowWriter progress_;
  OutputFile timing_;
  OutputFile log_;
  EventsWriter events_;
  double event_stride_;
  double total_steps_;
  std::int64_t steps_;
  double next_event_;
};

}  // namespace politex::lab
