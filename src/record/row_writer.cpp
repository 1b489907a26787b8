#include "politex/record/row_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace politex::inline record {

namespace {

// The digits of a number below 10^8, first digit in the first byte, computed in parallel by halving.
std::uint64_t eight_digits(std::uint64_t number) noexcept {
  std::uint64_t parts = number / 10'000 | number % 10'000 << 32;
  std::uint64_t high = (parts * 10'486 >> 20) & 0x0000'007f'0000'007f;
  parts = high | (parts - 100 * high) << 16;
  high = (parts * 103 >> 10) & 0x000f'000f'000f'000f;
  parts = high | (parts - 10 * high) << 8;
  return parts + 0x3030'3030'3030'3030;
}

constexpr int most_digits = 17;
constexpr std::array<std::uint64_t, most_digits + 1> powers_of_ten = [] {
  std::array<std::uint64_t, most_digits + 1> powers{1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = 10 * powers[k - 1];
  return powers;
}();

int digits_of(std::uint64_t number) noexcept {
  const auto least = static_cast<std::size_t>(std::bit_width(number) * 1233 >> 12);  // log10(2), rounded down
  return static_cast<int>(least) + (number >= powers_of_ten[least] ? 1 : 0);
}

// May touch up to `longest` characters, more than it prints.
char* print_whole(std::uint64_t number, char* to) noexcept {
  constexpr std::uint64_t half = 100'000'000;
  if (number >= half) {
    to = print_whole(number / half, to);
    const std::uint64_t text = eight_digits(number % half);
    std::memcpy(to, &text, sizeof text);
    return to + sizeof text;
  }
  const int digits = digits_of(number | 1);
  const std::uint64_t text = eight_digits(number) >> 8 * (8 - digits);
  std::memcpy(to, &text, sizeof text);
  return to + digits;
}

// Prints finite non-integers exactly as fmt does. fmt spends two thirds of its time on layout, so the usual layouts are
// done here.
char* print_fraction(double number, char* to) {
  if (std::abs(number) < 1e-4 || std::abs(number) >= 1e15) return fmt::format_to(to, FMT_COMPILE("{}"), number);
  *to = '-';
  to += std::signbit(number) ? 1 : 0;
  const auto decimal = fmt::detail::dragonbox::to_decimal(std::abs(number));
  const int digits = digits_of(decimal.significand);
  const std::uint64_t all = decimal.significand * powers_of_ten[static_cast<std::size_t>(most_digits - digits)];
  const std::uint64_t rest = all % powers_of_ten[most_digits - 1];
  const std::array<std::uint64_t, 2> text = {eight_digits(rest / 100'000'000), eight_digits(rest % 100'000'000)};
  const int before_point = digits + decimal.exponent;
  std::ranges::copy(std::string_view("0.000"), to);
  char* const first = to + (before_point > 0 ? 1 : 2 - before_point);
  *first = static_cast<char>('0' + all / powers_of_ten[most_digits - 1]);
  std::memcpy(first + 1, text.data(), sizeof text);
  if (before_point > 0) {
    for (int k = 0; k < before_point; ++k) to[k] = to[k + 1];
    to[before_point] = '.';
  }
  return first + digits;
}

}  // namespace

char* NumberPrinter::print(double number, char* to) {
  // Many cells are counts, and integers are several times faster to print.
  if (const auto whole = static_cast<std::int64_t>(std::abs(number) < 1e15 ? number : 0.5);
      static_cast<double>(whole) == number && !(number == 0.0 && std::signbit(number))) {
    *to = '-';
    return print_whole(static_cast<std::uint64_t>(std::abs(whole)), to + (whole < 0 ? 1 : 0));
  }
  if (!std::isfinite(number)) return to;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::size_t place = bits * 0x9e3779b97f4a7c15u >> (64 - remembered_bits);
  if (remembered_[place] == bits) {
    std::memcpy(to, texts_[place].text.data(), longest);
    return to + texts_[place].size;
  }
  char* const end = print_fraction(number, to);
  // Many numbers occur only once, so a number is cached at its second occurrence.
  if (met_[place] == bits) {
    std::memcpy(texts_[place].text.data(), to, longest);
    texts_[place].size = static_cast<std::uint8_t>(end - to);
    remembered_[place] = bits;
  }
  met_[place] = bits;
  return end;
}

char* print_csv_row(std::span<const double> cells, NumberPrinter& printer, char* to) {
  for (const double cell : cells) {
    to = printer.print(cell, to);
    *to++ = ',';
  }
  if (!cells.empty()) --to;
  *to++ = '\n';
  return to;
}

RowWriter::~RowWriter() {
  try {
    flush();
  } catch (...) {  // already reported by an earlier call, or a destructor cannot report it
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
  for (std::size_t at = 0; at < cells.size(); at += width_)
    file_.wrote(print_csv_row(std::span(cells).subspan(at, width_), printer_, file_.reserve(most_csv_bytes(width_))));
}

void RowWriter::end_block() {
  if (++blocks_ > blocks_without_thread && has_worker()) return hand_over();
  print(filling_);
  filling_.clear();
}

bool RowWriter::has_worker() {
  try {
    if (!worker_.joinable()) worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    return true;
  } catch (const std::system_error&) {  // no thread available: print on this one and try again later
    blocks_ = 0;
    return false;
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

}  // namespace politex::inline record
