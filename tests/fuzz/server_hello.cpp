// Any bytes as the hello of an environment server: rejected, or a space with its ranges and a layout that fits.
// reader: src/process/handshake.cpp
// runs: 20000
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "politex/base/error.hpp"
#include "politex/process/handshake.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  politex::ServerHello hello;
  try {
    hello = politex::parse_hello({reinterpret_cast<const char*>(data), size});
  } catch (const politex::Error&) {
    return 0;
  }
  const politex::MemoryLayout layout(hello, 3);
  const bool fits = layout.last + 3 * hello.numbers * politex::bytes_of(hello.type) <= layout.bytes;
  if (hello.space.actions < 1 || hello.space.ranges.size() != hello.numbers || !fits) std::abort();
  return 0;
}
