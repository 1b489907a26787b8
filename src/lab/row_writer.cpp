#include "politex/lab/row_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace politex::lab {

char* NumberPrinter::print(double number, char* to) {
  // Counts are many of the cells, and integers are several times faster to print than shortest round trip.
  if (const auto whole = static_cast<std::int64_t>(std::abs(number) < 1e15 ? number : 0.5);
      static_cast<double>(whole) == number && !(number == 0.0 && std::signbit(number)))
    return fmt::format_to(to, FMT_COMPILE("{}"), whole);
  if (!std::isfinite(number)) return to;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  Printed& printed = lately_[bits * 0x9e3779b97f4a7c15u >> (64 - remembered_bits)];
  if (printed.bits != bits) {
    printed.bits = bits;
    printed.size =
        static_cast<std::uint8_t>(fmt::format_to(printed.text.data(), FMT_COMPILE("{}"), number) - printed.text.data());
  }
  std::memcpy(to, printed.text.data(), longest);
  return to + printed.size;
}

void append_csv_row(std::string& to, std::span<const double> cells, NumberPrinter& printer) {
  const std::size_t before = to.size();
  to.resize(before + cells.size() * (NumberPrinter::longest + 1) + 1);
  char* end = to.data() + before;
  for (const double cell : cells) {
    end = printer.print(cell, end);
    *end++ = ',';
  }
  if (!cells.empty()) --end;
  *end++ = '\n';
  to.resize(static_cast<std::size_t>(end - to.data()));
}

RowWriter::~RowWriter() {
  try {
    flush();
  } catch (...) {  // told by the call that met it first, or nobody is left to tell
  }
}

void RowWriter::flush() {
  wait_until_idle();
  print(filling_);
  filling_.clear();
  file_.flush();
}

void RowWriter::begin_sync() {
  flush();
  file_.begin_sync();
}

void RowWriter::sync() {
  flush();
  file_.sync();
}

void RowWriter::print(const std::vector<double>& cells) {
  constexpr std::size_t enough = 1 << 12;
  for (std::size_t at = 0; at < cells.size(); at += width_) {
    append_csv_row(lines_, std::span(cells).subspan(at, width_), printer_);
    if (lines_.size() < enough && at + width_ < cells.size()) continue;
    file_.write(lines_);
    lines_.clear();
  }
}

void RowWriter::end_block() {
  if (++blocks_ > blocks_without_thread) return hand_over();
  print(filling_);
  filling_.clear();
}

void RowWriter::hand_over() {
  wait_until_idle();
  std::swap(filling_, printing_);
  filling_.clear();
  {
    const std::lock_guard lock(mutex_);
    busy_ = true;
  }
  if (!worker_.joinable()) worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_all();
}

void RowWriter::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
  if (failure_) {
    filling_.clear();
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void RowWriter::work(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return busy_; })) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      print(printing_);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    busy_ = false;
    lock.unlock();
    changed_.notify_all();
  }
}

}  // namespace politex::lab
