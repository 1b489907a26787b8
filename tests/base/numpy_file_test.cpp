#include "politex/base/numpy_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "politex/base/error.hpp"

namespace politex {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string small_file() {
  NumpyWriter writer;
  writer.add("reals", std::vector<double>{1.5, -2.25, 1e300}, {3});
  writer.add("table", std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  writer.add("wide", std::vector<std::int64_t>{std::int64_t{1} << 40}, {});
  return std::move(writer).finish();
}

std::string message_of(const auto& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(NumpyFile, ReadsWhatTheWriterWrites) {
  const std::string bytes = small_file();
  EXPECT_TRUE(looks_like_npz(bytes));
  const NumpyFile file(bytes, "x.npz");
  EXPECT_THAT(file.names(), ElementsAre("reals", "table", "wide"));
  EXPECT_THAT(file.reals("reals"), ElementsAre(1.5, -2.25, 1e300));
  EXPECT_THAT(file.whole32("table", 0, 6), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(file.reals("table"), ElementsAre(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
  EXPECT_THAT(file.shape("table"), ElementsAre(2, 3));
  EXPECT_THAT(file.whole("wide", 0, std::numeric_limits<std::int64_t>::max()), ElementsAre(std::int64_t{1} << 40));
  EXPECT_TRUE(file.shape("wide").empty());
  EXPECT_FALSE(file.has("cost"));
}

TEST(NumpyFile, NamesTheArrayAndTheEntry) {
  const NumpyFile file(small_file(), "x.npz");
  EXPECT_THAT(message_of([&] { static_cast<void>(file.whole32("table", 0, 5)); }),
              HasSubstr("x.npz: array \"table\": [5] is 6; accepted: 0 to 5"));
  EXPECT_THAT(message_of([&] { static_cast<void>(file.reals("cost")); }), HasSubstr("array \"cost\": is missing"));
  EXPECT_THAT(message_of([&] { static_cast<void>(file.whole("reals", 0, 1)); }), HasSubstr("not an array of whole"));
  EXPECT_THAT(message_of([&] { static_cast<void>(file.text("reals")); }), HasSubstr("not a single text"));
}

// Every file that is cut off is refused; a changed byte of the numbers is noticed by the check sum.
TEST(NumpyFile, RefusesDamagedFiles) {
  const std::string bytes = small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(message_of([&] { NumpyFile(bytes.substr(0, size), "x.npz"); }), HasSubstr("not a valid .npz file"))
        << size;
  std::string changed = bytes;
  changed[bytes.find("NUMPY") + 121] ^= 1;
  EXPECT_THAT(message_of([&] { static_cast<void>(NumpyFile(changed, "x.npz").reals("reals")); }),
              HasSubstr("check sum"));
}

}  // namespace
}  // namespace politex
