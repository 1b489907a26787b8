// Writes rows of numbers to a CSV file. Printing a double with the shortest digits that round-trip takes longer than a
// step of a learner, so a separate thread prints blocks of rows in long runs. Order and bytes do not depend on it.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "politex/base/output_file.hpp"

namespace politex::inline record {

/// Prints numbers with the shortest digits that round-trip. Averages over phases take few values, so recent texts are
/// cached, which is several times faster than printing.
class NumberPrinter {
 public:
  static constexpr std::size_t longest = 32;
  /// Returns the end of the text; may touch up to `longest` characters. Prints nothing for a number that is not finite.
  char* print(double number, char* to);

 private:
  struct Printed {
    std::array<char, longest> text;
    std::uint8_t size;
  };
  static constexpr int remembered_bits = 9;
  static constexpr std::size_t places = std::size_t{1} << remembered_bits;
  // Bits of the numbers; 0 marks a free entry, since the number 0 is never cached. Stored apart from the texts, so that
  // a failed lookup, the usual case, does not load a text.
  std::array<std::uint64_t, places> met_{}, remembered_{};
  std::vector<Printed> texts_ = std::vector<Printed>(places);
};

/// Writes one line of comma-separated numbers, at most most_csv_bytes() characters, and returns its end.
char* print_csv_row(std::span<const double> cells, NumberPrinter& printer, char* to);
constexpr std::size_t most_csv_bytes(std::size_t cells) { return cells * (NumberPrinter::longest + 1) + 1; }

class RowWriter {
 public:
  RowWriter(OutputFile file, std::size_t width) : width_(width), file_(std::move(file)) {
    filling_.reserve(block + width);
  }
  /// Writes the remaining rows and ignores failures.
  ~RowWriter();
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  /// Its name and descriptor never change.
  const OutputFile& file() const noexcept { return file_; }

  /// Appends a row of `width` numbers. Throws Error if an earlier block could not be written.
  void row(std::span<const double> cells) {
    filling_.insert(filling_.end(), cells.begin(), cells.end());
    if (filling_.size() >= block) end_block();
  }
  /// Writes a line of text, for the header.
  void text(std::string_view line) { file_.write(line); }
  /// Writes all rows to the file. Throws Error.
  void flush();
  /// flush() and start writing to disk.
  void begin_sync();
  /// flush() and wait until the rows are on disk.
  void sync();
  /// Bytes in the file; call flush() or sync() first.
  std::int64_t size() const noexcept { return file_.size(); }

 private:
  static constexpr std::size_t block = 1 << 12;  // numbers; two blocks fit in the cache
  // Waking a thread takes as long as printing a large part of a block, so short runs do without it.
  static constexpr int blocks_without_thread = 8;

  void end_block();
  bool has_worker();
  void hand_over();
  void wait_until_idle();
  void work(const std::stop_token& stop);
  void print(const std::vector<double>& cells);

  std::size_t width_;
  OutputFile file_;  // owned by the worker while busy_
  std::vector<double> filling_, printing_;
  NumberPrinter printer_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool busy_ = false;
  std::exception_ptr failure_;
  int blocks_ = 0;
  std::jthread worker_;  // started with the first block that is handed over
};

}  // namespace politex::inline record
