#include "politex/base/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "politex/base/error.hpp"

namespace politex {
namespace {

void put_big_endian(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xffU);
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t rest = ~0U;
  for (const char byte : bytes) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~rest;
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t sum = 1, sum_of_sums = 0;
  for (const char byte : bytes) {
    sum = (sum + static_cast<unsigned char>(byte)) % 65521;
    sum_of_sums = (sum_of_sums + sum) % 65521;
  }
  return sum_of_sums << 16 | sum;
}

void put_chunk(std::string& to, std::string_view kind, std::string_view data) {
  put_big_endian(to, static_cast<std::uint32_t>(data.size()));
  const std::string body = std::string(kind) + std::string(data);
  to += body;
  put_big_endian(to, crc32(body));
}

/// Numbers stand lowest bit first, codes highest bit first: RFC 1951, 3.1.1.
class DeflateBits {
 public:
  void number(std::uint32_t value, int bits) {
    for (int i = 0; i < bits; ++i) bit(value >> i);
  }
  void code(std::uint32_t value, int bits) {
    for (int i = bits - 1; i >= 0; --i) bit(value >> i);
  }
  /// A byte, the end (256) or a length (257 and on) by its fixed code.
  void symbol(std::uint32_t value) {
    if (value < 144) return code(0x30 + value, 8);
    if (value < 256) return code(0x190 + value - 144, 9);
    if (value < 280) return code(value - 256, 7);
    code(0xc0 + value - 280, 8);
  }
  void repeat(std::size_t length, std::size_t distance) {
    const auto more = static_cast<std::uint32_t>(length - 3);
    const int length_bits = std::max(0, static_cast<int>(std::bit_width(more)) - 3);
    if (length == longest) {
      symbol(285);
    } else {
      symbol(257 + 4 * static_cast<std::uint32_t>(length_bits) + (more >> length_bits));
      number(more, length_bits);
    }
    const auto back = static_cast<std::uint32_t>(distance - 1);
    const int distance_bits = std::max(0, static_cast<int>(std::bit_width(back)) - 2);
    code(2 * static_cast<std::uint32_t>(distance_bits) + (back >> distance_bits), 5);
    number(back, distance_bits);
  }
  std::string take() { return std::move(bytes_); }

  static constexpr std::size_t longest = 258, farthest = 32768;

 private:
  void bit(std::uint32_t value) {
    if (used_ == 0) bytes_ += '\0';
    bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | (value & 1U) << used_);
    used_ = (used_ + 1) % 8;
  }

  std::string bytes_;
  int used_ = 0;  // bits of the last byte
};

std::size_t common_length(std::string_view bytes, std::size_t early, std::size_t late) {
  const std::size_t most = std::min(DeflateBits::longest, bytes.size() - late);
  std::size_t length = 0;
  while (length < most && bytes[early + length] == bytes[late + length]) ++length;
  return length;
}

}  // namespace

std::string deflate(std::string_view bytes) {
  DeflateBits bits;
  bits.number(1, 1);  // the last block
  bits.number(1, 2);  // fixed codes
  constexpr int hash_bits = 15;
  constexpr std::size_t seen = 4;
  std::vector<std::size_t> newest(std::size_t{1} << hash_bits, bytes.size());  // place where bytes of this hash stand
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::size_t length = 0, distance = 0;
    if (at + seen <= bytes.size()) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, seen);
      std::size_t& before = newest[word * 2654435761U >> (32 - hash_bits)];
      if (before < at && at - before <= DeflateBits::farthest) {
        distance = at - before;
        length = common_length(bytes, before, at);
      }
      before = at;
    }
    if (length < seen) {
      bits.symbol(static_cast<unsigned char>(bytes[at++]));
    } else {
      bits.repeat(length, distance);
      at += length;
    }
  }
  bits.symbol(256);
  return bits.take();
}

std::string png(const Picture& picture) {
  const std::size_t row = 3 * picture.width;
  if (row == 0 || picture.height == 0 || picture.rgb.size() != picture.height * row)
    throw Error(fmt::format("a picture of {} x {} pixels cannot have {} bytes", picture.width, picture.height,
                            picture.rgb.size()));
  constexpr char difference_from_above = 2;
  std::string lines;
  for (std::size_t y = 0; y < picture.height; ++y) {
    lines += difference_from_above;
    for (std::size_t i = y * row; i < (y + 1) * row; ++i)
      lines += static_cast<char>(picture.rgb[i] - (y > 0 ? picture.rgb[i - row] : 0));
  }
  std::string header;
  put_big_endian(header, static_cast<std::uint32_t>(picture.width));
  put_big_endian(header, static_cast<std::uint32_t>(picture.height));
  header +=
      std::string_view("\x08\x02\0\0\0", 5);  // eight bits, colours; the only compression and filters; no interlace
  std::string data = "\x78\x01" + deflate(lines);
  put_big_endian(data, adler32(lines));
  std::string file = "\x89PNG\r\n\x1a\n";
  put_chunk(file, "IHDR", header);
  put_chunk(file, "IDAT", data);
  put_chunk(file, "IEND", "");
  return file;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

}  // namespace politex
