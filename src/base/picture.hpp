// RGB pictures, their PNG encoding, and base64 for embedding them in a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace politex::inline base {

/// Rows from top to bottom; three bytes (red, green, blue) per pixel.
struct Picture {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> rgb;
};

/// Returns the bytes of a PNG file; the same picture gives the same bytes. Throws Error if the picture has no pixels or
/// not 3 * height * width bytes.
std::string png(const Picture& picture);

std::string base64(std::string_view bytes);

}  // namespace politex::inline base
