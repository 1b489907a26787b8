#include "politex/lab/row_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

namespace politex::lab {

void append_csv_row(std::string& to, std::span<const double> cells) {
  std::array<char, 40> room{};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    char* end = room.data();
    if (i > 0) *end++ = ',';
    const double cell = cells[i];
    // Counts are many of the cells, and integers are several times faster to print than shortest round trip.
    if (const auto whole = static_cast<std::int64_t>(std::abs(cell) < 1e15 ? cell : 0.5);
        static_cast<double>(whole) == cell && !(cell == 0.0 && std::signbit(cell)))
      end = fmt::format_to(end, FMT_COMPILE("{}"), whole);
    else if (std::isfinite(cell))
      end = fmt::format_to(end, FMT_COMPILE("{}"), cell);
    to.append(room.data(), end);
  }
  to.push_back('\n');
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

void RowWriter::sync() {
  flush();
  file_.sync();
}

void RowWriter::print(const std::vector<double>& cells) {
  for (std::size_t at = 0; at < cells.size(); at += width_) {
    line_.clear();
    append_csv_row(line_, std::span(cells).subspan(at, width_));
    file_.write(line_);
  }
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
