#include "politex/base/picture.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "politex/base/error.hpp"

namespace politex::inline base {
namespace {

void put_big_endian(std::string& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift & 0xffU);
}

void put_chunk(std::string& to, std::string_view kind, std::string_view data) {
  put_big_endian(to, static_cast<std::uint32_t>(data.size()));
  const std::string body = std::string(kind) + std::string(data);
  to += body;
  put_big_endian(to, static_cast<std::uint32_t>(
                         ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

std::string compressed(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string into(size, '\0');
  const auto* from = reinterpret_cast<const Bytef*>(bytes.data());
  if (::compress2(reinterpret_cast<Bytef*>(into.data()), &size, from, bytes.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw Error("cannot compress a picture: out of memory");
  into.resize(size);
  return into;
}

}  // namespace

std::string png(const Picture& picture) {
  const std::size_t row = 3 * picture.width;
  if (row == 0 || picture.height == 0 || picture.rgb.size() != picture.height * row)
    throw Error(
        fmt::format("a picture of {} x {} pixels has {} bytes; expected 3 bytes per pixel and at least one pixel",
                    picture.width, picture.height, picture.rgb.size()));
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
  header += std::string_view("\x08\x02\0\0\0", 5);  // 8 bits, RGB, default compression and filters, not interlaced
  std::string file = "\x89PNG\r\n\x1a\n";
  put_chunk(file, "IHDR", header);
  put_chunk(file, "IDAT", compressed(lines));
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

}  // namespace politex::inline base
