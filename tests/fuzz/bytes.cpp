// Any bytes as a saved state: the reader throws or returns, and never holds more memory than its input.
// reader: src/base/bytes.cpp
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "politex/base/bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  politex::ByteReader reader(std::as_bytes(std::span(data, size)));
  std::size_t read = 0;
  try {
    // The first byte of each item selects what is read next.
    while (!reader.empty()) {
      switch (reader.get<std::uint8_t>() % 4) {
        case 0:
          reader.get<std::int64_t>();
          read += sizeof(std::int64_t);
          break;
        case 1:
          read += reader.get<std::vector<double>>().size() * sizeof(double);
          break;
        case 2:
          read += reader.get<std::string>().size();
          break;
        default:
          read += reader.get<std::vector<std::uint8_t>>().size();
          break;
      }
    }
  } catch (const politex::Error&) {
  }
  if (read > size) std::abort();
  return 0;
}
