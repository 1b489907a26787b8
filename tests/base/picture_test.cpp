#include "politex/base/picture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

/// Reads what deflate() writes, from the tables of RFC 1951 (3.2.5, 3.2.6) as they are printed there.
class Inflater {
 public:
  explicit Inflater(std::string_view bytes) : bytes_(bytes) {}
  std::string run() {
    EXPECT_EQ(number(1), 1U) << "the last block";
    EXPECT_EQ(number(2), 1U) << "fixed codes";
    for (;;) {
      const unsigned symbol = next_symbol();
      if (symbol == 256) return out_;
      if (symbol < 256) {
        out_ += static_cast<char>(symbol);
        continue;
      }
      const std::size_t length = lengths.at(symbol - 257) + number(length_bits.at(symbol - 257));
      unsigned code = 0;
      for (int i = 0; i < 5; ++i) code = code << 1 | number(1);
      const std::size_t distance = distances.at(code) + number(distance_bits.at(code));
      if (distance > out_.size()) {
        ADD_FAILURE() << "a distance to before the beginning";
        return out_;
      }
      for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - distance];
    }
  }

 private:
  unsigned number(int bits) {
    unsigned value = 0;
    for (int i = 0; i < bits; ++i, ++at_)
      value |= (static_cast<unsigned char>(bytes_.at(at_ / 8)) >> at_ % 8 & 1U) << i;
    return value;
  }
  unsigned next_symbol() {
    unsigned code = 0;
    for (int bits = 1; bits <= 9; ++bits) {
      code = code << 1 | number(1);
      if (bits == 7 && code <= 0b0010111) return 256 + code;
      if (bits == 8 && code >= 0b00110000 && code <= 0b10111111) return code - 0b00110000;
      if (bits == 8 && code >= 0b11000000 && code <= 0b11000111) return 280 + code - 0b11000000;
      if (bits == 9) return 144 + code - 0b110010000;
    }
    return 256;
  }

  static constexpr std::array<unsigned, 29> lengths = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static constexpr std::array<int, 29> length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static constexpr std::array<unsigned, 30> distances = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  static constexpr std::array<int, 30> distance_bits = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string out_;
};

TEST(Picture, DeflatedBytesComeBack) {
  EXPECT_EQ(deflate(""), std::string("\x03\x00", 2));
  Rng rng(1, Use::test, 0);
  for (const std::size_t size : {1U, 3U, 4U, 5U, 257U, 258U, 259U, 260U, 3000U, 70000U}) {
    for (const unsigned colours : {1U, 2U, 200U, 256U}) {
      std::string bytes;
      while (bytes.size() < size) {
        // Areas of all lengths and copies from all distances: every code of a length and of a distance occurs.
        const auto run = 1 + rng.bits() % (rng.bits() % 4 == 0 ? 300 : 5);
        if (rng.bits() % 3 == 0 && !bytes.empty())
          bytes += bytes.substr(rng.bits() % bytes.size(), run);
        else
          bytes += std::string(run, static_cast<char>(rng.bits() % colours));
      }
      bytes.resize(size);
      EXPECT_EQ(Inflater(deflate(bytes)).run(), bytes) << size << " bytes of " << colours;
    }
  }
}

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
  // The end as every PNG has it: no data, "IEND" and its check sum.
  EXPECT_EQ(file.substr(file.size() - 12), std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  const std::size_t data = 8 + 25;
  ASSERT_EQ(file.substr(data + 4, 4), "IDAT");
  const std::string packed = file.substr(data + 8, big_endian(file, data));
  const std::string lines = Inflater(packed.substr(2, packed.size() - 6)).run();
  std::vector<std::uint8_t> rgb;
  for (std::size_t y = 0; y < 2; ++y) {
    EXPECT_EQ(lines.at(y * 7), 2) << "each row as its difference from the one above";
    for (std::size_t i = 0; i < 6; ++i)
      rgb.push_back(static_cast<std::uint8_t>(lines.at(y * 7 + 1 + i) + (y > 0 ? rgb[i] : 0)));
  }
  EXPECT_EQ(rgb, picture.rgb);
  EXPECT_EQ(png(picture), file);
}

TEST(Picture, EvenAreasTakeLittleRoom) {
  EXPECT_LT(png({.height = 210, .width = 160, .rgb = std::vector<std::uint8_t>(100'800, 136)}).size(), 2000U);
}

TEST(Picture, RefusesWhatIsNoPicture) {
  EXPECT_THROW(png({.height = 0, .width = 4, .rgb = {}}), Error);
  EXPECT_THROW(png({.height = 1, .width = 2, .rgb = {1, 2, 3}}), Error);
}

TEST(Picture, Base64OfTheRfc) {
  const std::map<std::string, std::string> pairs = {{"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
                                                    {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) EXPECT_EQ(base64(bytes), text);
}

}  // namespace
}  // namespace politex
