// Any bytes as a length: rejected, or a length that round-trips through text.
// reader: src/base/length.cpp
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/base/length.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto length = politex::Length::parse("x", {reinterpret_cast<const char*>(data), size});
    if (politex::Length::parse("x", length.text()) != length) std::abort();
    if (length.resolve(1 << 20) < 0) std::abort();
  } catch (const politex::ConfigError&) {
  }
  return 0;
}
