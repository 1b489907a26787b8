#include "politex/base/picture.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "politex/base/error.hpp"

namespace politex {
namespace {

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST(Picture, APngHasThePixels) {
  const Picture picture{.height = 2, .width = 2, .rgb = {0, 1, 2, 250, 251, 252, 7, 7, 7, 0, 0, 255}};
  const std::string file = png(picture);
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(file, 16), 2U);
  EXPECT_EQ(big_endian(file, 20), 2U);
  // Every PNG ends with an empty "IEND" chunk and its checksum.
  EXPECT_EQ(file.substr(file.size() - 12), std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  const std::size_t data = 8 + 25;
  ASSERT_EQ(file.substr(data + 4, 4), "IDAT");
  const std::string packed = file.substr(data + 8, big_endian(file, data));
  std::string lines(14, '\0');
  uLongf size = lines.size();
  ASSERT_EQ(::uncompress(reinterpret_cast<Bytef*>(lines.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                         packed.size()),
            Z_OK);
  ASSERT_EQ(size, lines.size());
  std::vector<std::uint8_t> rgb;
  for (std::size_t y = 0; y < 2; ++y) {
    EXPECT_EQ(lines.at(y * 7), 2) << "every row must use the filter `Up`";
    for (std::size_t i = 0; i < 6; ++i)
      rgb.push_back(static_cast<std::uint8_t>(lines.at(y * 7 + 1 + i) + (y > 0 ? rgb[i] : 0)));
  }
  EXPECT_EQ(rgb, picture.rgb);
  EXPECT_EQ(png(picture), file);
}

TEST(Picture, UniformAreasCompressWell) {
  EXPECT_LT(png({.height = 210, .width = 160, .rgb = std::vector<std::uint8_t>(100'800, 136)}).size(), 2000U);
}

TEST(Picture, RejectsAWrongNumberOfBytes) {
  EXPECT_THROW(png({.height = 0, .width = 4, .rgb = {}}), Error);
  EXPECT_THROW(png({.height = 1, .width = 2, .rgb = {1, 2, 3}}), Error);
}

TEST(Picture, Base64MatchesTheExamplesOfTheRfc) {
  const std::map<std::string, std::string> pairs = {{"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
                                                    {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) EXPECT_EQ(base64(bytes), text);
}

}  // namespace
}  // namespace politex
