#include "politex/lab/events.hpp"

#include <fmt/format.h>
#include <unistd.h>

#ifdef __SSE4_2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
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

std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

// tensorflow.Event: wall_time = 1, step = 2, file_version = 3, summary = 5.
void append_event_head(std::string& to, double wall_time) {
  append_key(to, 1, Wire::fixed64);
  append_little_endian(to, wall_time);
}

// A record is its length, the length's checksum, the data and its checksum; `data` appends the data.
template <class Data>
void append_record(std::string& to, const Data& data) {
  const std::size_t begin = to.size();
  constexpr std::size_t head = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  to.append(head, '\0');
  data();
  const std::uint64_t length = to.size() - begin - head;
  std::memcpy(to.data() + begin, &length, sizeof length);
  const std::uint32_t check = masked(std::string_view(to).substr(begin, sizeof length));
  std::memcpy(to.data() + begin + sizeof length, &check, sizeof check);
  append_little_endian(to, masked(std::string_view(to).substr(begin + head)));
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
#ifdef __SSE4_2__
  for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), sizeof eight);
    value = static_cast<std::uint32_t>(_mm_crc32_u64(value, eight));
  }
#endif
  for (const char c : bytes) value = crc_table[(value ^ static_cast<unsigned char>(c)) & 0xff] ^ (value >> 8);
  return ~value;
}

void append_scalar_record(std::string& to, double wall_time, std::int64_t step, std::span<const std::string> tags,
                          std::span<const double> values) {
  const std::size_t count = std::min(tags.size(), values.size());
  // Summary.Value: tag = 1, simple_value = 2. Lengths stand before what they count, and nothing is moved to learn them.
  const auto value_size = [&](std::size_t i) {
    return 1 + varint_size(tags[i].size()) + tags[i].size() + 1 + sizeof(float);
  };
  std::size_t summary_size = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (std::isfinite(values[i])) summary_size += 1 + varint_size(value_size(i)) + value_size(i);
  append_record(to, [&] {
    append_event_head(to, wall_time);
    append_key(to, 2, Wire::varint);
    append_varint(to, static_cast<std::uint64_t>(step));
    append_key(to, 5, Wire::bytes);
    append_varint(to, summary_size);
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) continue;
      append_key(to, 1, Wire::bytes);
      append_varint(to, value_size(i));
      append_bytes(to, 1, tags[i]);
      append_key(to, 2, Wire::fixed32);
      append_little_endian(to, static_cast<float>(values[i]));
    }
  });
}

EventsWriter::EventsWriter(const fs::path& directory, std::vector<std::string> tags, std::int64_t keep)
    : tags_(std::move(tags)), file_([&] {
        const fs::path file = event_file(directory);
        return OutputFile(file, at_most_size(file, keep));
      }()) {
  if (file_.size() > 0) return;
  append_record(record_, [&] {
    append_event_head(record_, now());
    append_bytes(record_, 3, "brain.Event:2");
  });
  file_.write(record_);
}

void EventsWriter::scalars(std::int64_t step, std::span<const double> values) {
  record_.clear();
  append_scalar_record(record_, now(), step, tags_, values);
  file_.write(record_);
}

}  // namespace politex::lab
