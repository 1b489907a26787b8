// A file that is built into the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace politex::inline base {

struct Asset {
  std::string_view text;
  std::string_view sha256;  // hexadecimal
};

}  // namespace politex::inline base
