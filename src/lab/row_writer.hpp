// Rows of numbers to a CSV file. Printing a double by shortest round trip takes longer than a step of a learner, so
// that blocks of rows are printed by a thread of their own once a run turns out to be long; their order and bytes do
// not depend on it.
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

#include "politex/lab/output_file.hpp"

namespace politex::lab {

/// Numbers as text by shortest round trip. Averages over phases of one length take few values: what was printed lately
/// is remembered, which is several times faster than printing it.
class NumberPrinter {
 public:
  static constexpr std::size_t longest = 32;
  /// Writes at most `longest` characters, some of them beyond the end that it returns; what is not finite is nothing.
  char* print(double number, char* to);

 private:
  struct Printed {
    std::array<char, longest> text;
    std::uint8_t size;
  };
  static constexpr int remembered_bits = 9;
  static constexpr std::size_t places = std::size_t{1} << remembered_bits;
  // Bits of numbers: 0 is the number 0, which is never printed from here. Apart from the texts, because most numbers
  // are met once: looking for them must not fetch a text from afar.
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
  /// Writes what it can.
  ~RowWriter();
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  /// `cells` has as many numbers as every row. Throws Error when an earlier block could not be written.
  void row(std::span<const double> cells) {
    filling_.insert(filling_.end(), cells.begin(), cells.end());
    if (filling_.size() >= block) end_block();
  }
  /// A line of text, for the header.
  void text(std::string_view line) { file_.write(line); }
  /// All rows so far are in the file. Throws Error.
  void flush();
  /// And on their way to the disk.
  void begin_sync();
  /// And on the disk.
  void sync();
  /// Bytes in the file; call flush() or sync() first.
  std::int64_t size() const noexcept { return file_.size(); }

 private:
  static constexpr std::size_t block = 1 << 12;  // numbers: two blocks stay in the cache
  // Waking a thread takes as long as printing a good part of a block: a run of some dozen milliseconds does without.
  static constexpr int blocks_without_thread = 8;

  void end_block();
  bool has_worker();
  void hand_over();
  void wait_until_idle();
  void work(const std::stop_token& stop);
  void print(const std::vector<double>& cells);

  std::size_t width_;
  OutputFile file_;  // the worker's while busy_
  std::vector<double> filling_, printing_;
  NumberPrinter printer_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool busy_ = false;
  std::exception_ptr failure_;
  int blocks_ = 0;
  std::jthread worker_;  // begins with the first block that is handed over
};

}  // namespace politex::lab
