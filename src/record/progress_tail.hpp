// Reads progress.csv while it grows, incrementally, and keeps a bounded number of rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline record {

/// Keeps the first, the newest and evenly spaced rows between, thinned by halves. An incomplete last line is left for
/// later; a file that became shorter is read again from the start; a missing file has no rows. A file that is large at
/// first reading is only sampled.
class ProgressTail {
 public:
  static constexpr std::uintmax_t large = std::uintmax_t{4} << 20;

  explicit ProgressTail(std::filesystem::path file, std::size_t most_rows = 512, std::uintmax_t large_file = large)
      : file_(std::move(file)), most_rows_(most_rows), large_file_(large_file) {}

  /// Reads added rows; returns whether there were any.
  bool update();

  const std::vector<std::string>& names() const noexcept { return names_; }
  /// At most 2 * most_rows + 1 rows of names().size() cells; a cell that is not a number is NaN.
  std::vector<std::vector<double>> rows() const;
  /// Counted, or estimated if the file was sampled.
  std::int64_t rows_in_file() const noexcept { return seen_; }

 private:
  void reset();
  void take_line(std::string_view line);
  void read_names(std::string_view line);
  void sample(std::ifstream& in, std::uintmax_t size);
  bool parse(std::string_view line, std::vector<double>& cells) const;

  std::filesystem::path file_;
  std::size_t most_rows_;
  std::uintmax_t large_file_;
  std::uintmax_t offset_ = 0;
  std::string partial_;  // the start of an incomplete line
  std::string last_line_;
  std::vector<std::string> names_;
  std::size_t steps_at_ = 0;  // index of the column "steps"; names_.size() if there is none
  std::vector<std::vector<double>> kept_;
  std::vector<double> newest_;
  std::int64_t seen_ = 0;
  std::int64_t stride_ = 1;
};

}  // namespace politex::inline record
