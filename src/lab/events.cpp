#include "politex/lab/events.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

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

// The format stores checksums rotated and shifted, so that the checksum of a record that holds one stays useful.
std::uint32_t masked(std::string_view bytes) noexcept { return std::rotr(crc32c(bytes), 15) + 0xa282ead8u; }

template <class T>
void append_little_endian(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

enum class Wire : unsigned { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void append_key(std::string& to, unsigned field, Wire wire) {
  append_varint(to, field << 3 | static_cast<unsigned>(wire));
}

void append_bytes(std::string& to, unsigned field, std::string_view bytes) {
  append_key(to, field, Wire::bytes);
  append_varint(to, bytes.size());
  to.append(bytes);
}

// tensorflow.Event: wall_time = 1, step = 2, file_version = 3, summary = 5.
std::string event_head(double wall_time) {
  std::string event;
  append_key(event, 1, Wire::fixed64);
  append_little_endian(event, wall_time);
  return event;
}

std::string framed(std::string_view data) {
  std::string length;
  append_little_endian(length, static_cast<std::uint64_t>(data.size()));
  std::string record = length;
  append_little_endian(record, masked(length));
  record.append(data);
  append_little_endian(record, masked(data));
  return record;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

fs::path event_file(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with("events.out.tfevents.")) return it->path();
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return directory / fmt::format("events.out.tfevents.{}.{}", std::time(nullptr), host.data());
}

std::int64_t at_most_size(const fs::path& file, std::int64_t keep) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error || static_cast<std::int64_t>(size) < keep ? 0 : keep;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) noexcept {
  std::uint32_t value = 0xffffffffu;
  for (const char c : bytes) value = crc_table[(value ^ static_cast<unsigned char>(c)) & 0xff] ^ (value >> 8);
  return ~value;
}

std::string scalar_record(double wall_time, std::int64_t step, std::span<const std::string> tags,
                          std::span<const double> values) {
  std::string summary;
  for (std::size_t i = 0; i < tags.size() && i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    std::string value;  // Summary.Value: tag = 1, simple_value = 2
    append_bytes(value, 1, tags[i]);
    append_key(value, 2, Wire::fixed32);
    append_little_endian(value, static_cast<float>(values[i]));
    append_bytes(summary, 1, value);
  }
  std::string event = event_head(wall_time);
  append_key(event, 2, Wire::varint);
  append_varint(event, static_cast<std::uint64_t>(step));
  append_bytes(event, 5, summary);
  return framed(event);
}

EventsWriter::EventsWriter(const fs::path& directory, std::vector<std::string> tags, std::int64_t keep)
    : tags_(std::move(tags)), file_([&] {
        const fs::path file = event_file(directory);
        return OutputFile(file, at_most_size(file, keep));
      }()) {
  if (file_.size() > 0) return;
  std::string event = event_head(now());
  append_bytes(event, 3, "brain.Event:2");
  file_.write(framed(event));
}

void EventsWriter::scalars(std::int64_t step, std::span<const double> values) {
  file_.write(scalar_record(now(), step, tags_, values));
}

}  // namespace politex::lab
