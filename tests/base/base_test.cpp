#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/length.hpp"

namespace politex {
namespace {

TEST(Length, ParsesEveryForm) {
  EXPECT_EQ(Length::parse("k", "12").resolve(20), 12);
  EXPECT_EQ(Length::parse("k", "0").resolve(20), 0);
  EXPECT_EQ(Length::parse("k", "N").resolve(20), 20);
  EXPECT_EQ(Length::parse("k", "8N").resolve(20), 160);
  EXPECT_EQ(Length::parse("k", "3N/4").resolve(5), 3);
  EXPECT_EQ(Length::parse("k", "N/2").resolve(5), 2);
}

TEST(Length, TextRoundTrips) {
  for (const char* text : {"0", "17", "N", "8N", "3N/4", "N/2"}) {
    const Length length = Length::parse("k", text);
    EXPECT_EQ(length.text(), text);
    EXPECT_EQ(Length::parse("k", length.text()), length);
  }
}

TEST(Length, RefusesAndNamesTheKey) {
  for (const char* text : {"", "n", "-1", "3M", "N/0", "N/", "/2", "0N", "1.5N", "N4", "99999999999999999999", "--",
                           "N/-2", "2NN", " 3", "9000000000000000"}) {
    try {
      Length::parse("schedule.follow", text);
      ADD_FAILURE() << '"' << text << "\" was accepted";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "schedule.follow");
      EXPECT_NE(std::string(error.what()).find("accepted"), std::string::npos);
    }
  }
}

TEST(Bytes, RoundTrip) {
  ByteWriter to;
  to.put(std::int64_t{-5});
  to.put(std::vector<double>{1.5, -0.0});
  to.put(std::string("name"));
  to.put(std::vector<int>{});
  ByteReader from{to.bytes()};
  EXPECT_EQ(from.get<std::int64_t>(), -5);
  EXPECT_EQ(from.get<std::vector<double>>(), (std::vector<double>{1.5, -0.0}));
  EXPECT_EQ(from.get<std::string>(), "name");
  EXPECT_TRUE(from.get<std::vector<int>>().empty());
  EXPECT_TRUE(from.empty());
}

TEST(Bytes, TruncationAnywhereThrows) {
  ByteWriter to;
  to.put(std::vector<double>{1, 2, 3});
  to.put(std::string("abc"));
  for (std::size_t keep = 0; keep < to.bytes().size(); ++keep) {
    ByteReader from{std::span(to.bytes()).first(keep)};
    EXPECT_THROW((from.get<std::vector<double>>(), from.get<std::string>()), Error);
  }
}

TEST(Bytes, AnImpossibleCountAllocatesNothing) {
  ByteWriter to;
  to.put(~std::uint64_t{0} / 16);
  ByteReader from{to.bytes()};
  EXPECT_THROW(from.get<std::vector<double>>(), Error);
}

TEST(Signature, DependsOnEveryByteAndOnTheSplit) {
  std::vector<std::byte> bytes(37, std::byte{0});
  Signature plain;
  plain.add(bytes);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = std::byte{1};
    Signature changed;
    changed.add(bytes);
    EXPECT_NE(changed.value(), plain.value()) << k;
    bytes[k] = std::byte{0};
  }
  Signature longer;
  bytes.push_back(std::byte{0});
  longer.add(bytes);
  EXPECT_NE(longer.value(), plain.value());
  EXPECT_EQ(plain.text().size(), 16u);
}

TEST(Files, ADirectoryThatCannotBeReadIsNoEmptyDirectory) {
  EXPECT_TRUE(entries_of("there-is-none").empty());
  EXPECT_TRUE(entries_of("/dev/null").empty());
  EXPECT_THROW(entries_of(std::string(300, 'a')), Error);  // a name that is too long
}

TEST(ReadFile, ReportsMissingLargeAndDirectory) {
  const auto folder = std::filesystem::temp_directory_path();
  EXPECT_THROW(read_file("k", (folder / "there-is-no-such-file").string()), ConfigError);
  EXPECT_THROW(read_file("k", folder.string()), ConfigError);
  const auto file = folder / fmt::format("politex_read_file_{}", getpid());
  std::ofstream(file) << "12345";
  EXPECT_EQ(read_file("k", file.string()), "12345");
  EXPECT_THROW(read_file("k", file.string(), 4), ConfigError);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace politex
