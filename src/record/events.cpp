#include "politex/record/events.hpp"

#include <fmt/format.h>
#include <unistd.h>

#ifdef __SSE4_2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <ctime>

#include "politex/base/files.hpp"

namespace politex::inline record {
namespace {

namespace fs = std::filesystem;

#ifdef __SSE4_2__
std::uint32_t crc_of_one_more(std::uint32_t crc, unsigned char byte) noexcept { return _mm_crc32_u8(crc, byte); }
#else
constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}
constexpr auto crc_table = make_table();
std::uint32_t crc_of_one_more(std::uint32_t crc, unsigned char byte) noexcept {
  return crc_table[(crc ^ byte) & 0xff] ^ (crc >> 8);
}
#endif

// The format masks checksums (rotates and shifts them), so that data that contain checksums are still protected.
std::uint32_t masked(std::string_view bytes) noexcept { return std::rotr(crc32c(bytes), 15) + 0xa282ead8u; }

template <class T>
char* put_little_endian(T value, char* to) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

constexpr std::size_t most_varint = 10;

char* put_varint(std::uint64_t value, char* to) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

enum class Wire : unsigned { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

// The fields of an event and of its parts have numbers below 16, and so keys of one byte.
constexpr char key(unsigned field, Wire wire) { return static_cast<char>(field << 3 | static_cast<unsigned>(wire)); }

char* put_bytes(unsigned field, std::string_view bytes, char* to) {
  *to++ = key(field, Wire::bytes);
  to = put_varint(bytes.size(), to);
  return std::ranges::copy(bytes, to).out;
}

// tensorflow.Event: wall_time = 1, step = 2, file_version = 3, summary = 5.
char* put_wall_time(double wall_time, char* to) {
  *to++ = key(1, Wire::fixed64);
  return put_little_endian(wall_time, to);
}
constexpr std::size_t wall_time_size = 1 + sizeof(double);

// A record is its length, the length's checksum, the data and its checksum; `put_data` writes the data and returns its
// end.
constexpr std::size_t record_head = sizeof(std::uint64_t) + sizeof(std::uint32_t);
constexpr std::size_t record_frame = record_head + sizeof(std::uint32_t);
template <class PutData>
char* put_record(char* to, const PutData& put_data) {
  char* const data = to + record_head;
  char* const end = put_data(data);
  const auto length = static_cast<std::uint64_t>(end - data);
  put_little_endian(length, to);
  put_little_endian(masked({to, sizeof length}), to + sizeof length);
  return put_little_endian(masked({data, length}), end);
}

// Accurate to a few milliseconds, and much cheaper than the exact time.
double now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

fs::path new_event_file(const fs::path& directory) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return directory / fmt::format("events.out.tfevents.{}.{}", std::time(nullptr), host.data());
}

OutputFile append_to_events(const fs::path& directory, std::int64_t keep) {
  for (const fs::path& file : entries_of(directory))
    if (file.filename().string().starts_with("events.out.tfevents.")) return {file, keep_or_begin(file, keep)};
  return {new_event_file(directory), 0};
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) noexcept {
  std::uint32_t value = 0xffffffffu;
#ifdef __SSE4_2__
  for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), sizeof eight);
    value = static_cast<std::uint32_t>(_mm_crc32_u64(value, eight));
  }
#endif
  for (const char c : bytes) value = crc_of_one_more(value, static_cast<unsigned char>(c));
  return ~value;
}

EventsWriter::EventsWriter(const fs::path& directory, std::span<const std::string> tags,
                           std::optional<std::int64_t> keep)
    : file_(keep ? append_to_events(directory, *keep) : OutputFile(new_event_file(directory), 0)) {
  // Summary: value = 1. Summary.Value: tag = 1, simple_value = 2.
  for (const std::string& tag : tags) {
    const std::size_t size = 1 + varint_size(tag.size()) + tag.size() + 1 + sizeof(float);
    std::string& head = heads_.emplace_back(1 + most_varint + size, '\0');
    char* end = head.data();
    *end++ = key(1, Wire::bytes);
    end = put_bytes(1, tag, put_varint(size, end));
    *end++ = key(2, Wire::fixed32);
    head.resize(static_cast<std::size_t>(end - head.data()));
    most_values_ += head.size() + sizeof(float);
  }
  if (file_.size() > 0) return;
  constexpr std::string_view version = "brain.Event:2";
  char* const begin = file_.reserve(record_frame + wall_time_size + 1 + most_varint + version.size());
  file_.wrote(put_record(begin, [&](char* to) { return put_bytes(3, version, put_wall_time(now(), to)); }));
}

void EventsWriter::scalars(std::int64_t step, std::span<const double> values) {
  const std::size_t count = std::min(heads_.size(), values.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (std::isfinite(values[i])) size += heads_[i].size() + sizeof(float);
  char* const begin = file_.reserve(record_frame + wall_time_size + 2 * (1 + most_varint) + most_values_);
  file_.wrote(put_record(begin, [&](char* to) {
    to = put_wall_time(now(), to);
    *to++ = key(2, Wire::varint);
    to = put_varint(static_cast<std::uint64_t>(step), to);
    *to++ = key(5, Wire::bytes);
    to = put_varint(size, to);
    for (std::size_t i = 0; i < count; ++i)
      if (std::isfinite(values[i])) {
        to = std::ranges::copy(heads_[i], to).out;
        to = put_little_endian(static_cast<float>(values[i]), to);
      }
    return to;
  }));
}

}  // namespace politex::inline record
