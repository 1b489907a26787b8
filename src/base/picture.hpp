// Pictures of bytes: as PNG, and as text in a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace politex {

/// Rows from the top; every pixel is red, green, blue.
struct Picture {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> rgb;
};

/// The bytes of a PNG file; the same picture gives the same bytes. Throws Error where it has no pixels, or not
/// 3 * height * width bytes.
std::string png(const Picture& picture);

std::string base64(std::string_view bytes);

}  // namespace politex
