// Rows of numbers to a CSV file. Printing a double by shortest round trip takes longer than a step of a learner, so
// that full blocks of rows are printed by a thread of their own; their order and bytes do not depend on it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "politex/lab/output_file.hpp"

namespace politex::lab {

/// One line of comma-separated numbers by shortest round trip; what is not finite is left empty.
void append_csv_row(std::string& to, std::span<const double> cells);

class RowWriter {
 public:
  RowWriter(OutputFile file, std::size_t width) : width_(width), file_(std::move(file)) {}
  /// Writes what it can.
  ~RowWriter();
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  /// `cells` has as many numbers as every row. Throws Error when an earlier block could not be written.
  void row(std::span<const double> cells) {
    filling_.insert(filling_.end(), cells.begin(), cells.end());
    if (filling_.size() >= block) hand_over();
  }
  /// A line of text, for the header.
  void text(std::string_view line) { file_.write(line); }
  /// All rows so far are in the file. Throws Error.
  void flush();
  /// And on the disk.
  void sync();
  /// Bytes in the file; call flush() or sync() first.
  std::int64_t size() const noexcept { return file_.size(); }

 private:
  static constexpr std::size_t block = 1 << 13;  // numbers

  void hand_over();
  void wait_until_idle();
  void work(const std::stop_token& stop);
  void print(const std::vector<double>& cells);

  std::size_t width_;
  OutputFile file_;  // the worker's while busy_
  std::vector<double> filling_, printing_;
  std::string line_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool busy_ = false;
  std::exception_ptr failure_;
  std::jthread worker_;  // begins with the first full block: short runs need none
};

}  // namespace politex::lab
