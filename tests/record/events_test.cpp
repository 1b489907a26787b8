// TensorBoard event files, against CRC-32C's known answers and a decoder of the format written for this test.
#include "politex/record/events.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace politex {
namespace {

namespace fs = std::filesystem;

TEST(Crc32c, KnownAnswers) {
  // RFC 3720, B.4, and the check value of the CRC catalogue.
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(""), 0u);
}

template <class T>
T take(std::string_view& from) {
  T value{};
  EXPECT_GE(from.size(), sizeof value);
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

std::uint64_t varint(std::string_view& from) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

std::string_view bytes(std::string_view& from) {
  const auto size = varint(from);
  const std::string_view out = from.substr(0, size);
  from.remove_prefix(size);
  return out;
}

struct Event {
  std::int64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
};

Event parse_event(std::string_view data) {
  Event event;
  while (!data.empty()) {
    switch (varint(data)) {
      case 1 << 3 | 1:
        EXPECT_GT(take<double>(data), 1e9);
        break;
      case 2 << 3:
        event.step = static_cast<std::int64_t>(varint(data));
        break;
      case 3 << 3 | 2:
        event.version = bytes(data);
        break;
      case 5 << 3 | 2: {
        std::string_view summary = bytes(data);
        while (!summary.empty()) {
          EXPECT_EQ(varint(summary), 1u << 3 | 2);
          std::string_view value = bytes(summary);
          EXPECT_EQ(varint(value), 1u << 3 | 2);
          const std::string tag(bytes(value));
          EXPECT_EQ(varint(value), 2u << 3 | 5);
          event.scalars[tag] = take<float>(value);
        }
        break;
      }
      default:
        ADD_FAILURE();
        return event;
    }
  }
  return event;
}

std::vector<Event> parse_file(std::string_view text) {
  const auto masked = [](std::string_view part) { return std::rotr(crc32c(part), 15) + 0xa282ead8u; };
  std::vector<Event> events;
  while (!text.empty()) {
    const std::string_view head = text.substr(0, 8);
    const auto size = take<std::uint64_t>(text);
    EXPECT_EQ(take<std::uint32_t>(text), masked(head));
    const std::string_view data = text.substr(0, size);
    text.remove_prefix(size);
    EXPECT_EQ(take<std::uint32_t>(text), masked(data));
    events.push_back(parse_event(data));
  }
  return events;
}

TEST(Events, WritesTruncatesAndAppends) {
  std::string name = (fs::temp_directory_path() / "politex-events-XXXXXX").string();
  const fs::path root = ::mkdtemp(name.data());
  const std::vector<std::string> tags = {"average_cost", "extra"};
  std::int64_t kept = 0;
  {
    EventsWriter writer(root, tags, std::nullopt);
    writer.scalars(10, std::vector<double>{-1.5, 0.25});
    kept = writer.size();
    writer.scalars(20, std::vector<double>{7, 7});
  }
  {
    EventsWriter writer(root, tags, kept);
    writer.scalars(1'000'000'000'000, std::vector<double>{-1.25, std::nan("")});
  }
  ASSERT_EQ(std::distance(fs::directory_iterator(root), fs::directory_iterator()), 1);
  std::ifstream in(fs::directory_iterator(root)->path(), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  const auto events = parse_file(text.str());
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[1].step, 10);
  EXPECT_EQ(events[1].scalars, (std::map<std::string, float>{{"average_cost", -1.5f}, {"extra", 0.25f}}));
  EXPECT_EQ(events[2].step, 1'000'000'000'000);
  EXPECT_EQ(events[2].scalars, (std::map<std::string, float>{{"average_cost", -1.25f}}));
  fs::remove_all(root);
}

}  // namespace
}  // namespace politex
