// progress.csv as it grows: a bounded number of rows of a file of any length, read from where the last look ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace politex::lab {

/// Rows are thinned by halves, so the first, the newest and evenly spaced ones between are there. A last line without
/// its end is left for later; a file that became shorter is read anew; one that is not there has no rows. Of a file
/// that is large at the first look only so many places are read as rows are wanted.
class ProgressTail {
 public:
  static constexpr std::uintmax_t large = std::uintmax_t{4} << 20;

  explicit ProgressTail(std::filesystem::path file, std::size_t most_rows = 512, std::uintmax_t large_file = large)
      : file_(std::move(file)), most_rows_(most_rows), large_file_(large_file) {}

  /// Reads what was added; true when something was.
  bool update();

  const std::vector<std::string>& names() const noexcept { return names_; }
  /// At most 2 * most_rows + 1 rows of names().size() cells; a cell that holds no number is NaN.
  std::vector<std::vector<double>> rows() const;
  /// Counted, or estimated where not all of them were read.
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
  std::string partial_;  // the beginning of a line whose end has not been written yet
  std::string last_line_;
  std::vector<std::string> names_;
  std::size_t steps_at_ = 0;  // which of them; their number where none is
  std::vector<std::vector<double>> kept_;
  std::vector<double> newest_;
  std::int64_t seen_ = 0;
  std::int64_t stride_ = 1;
};

}  // namespace politex::lab
