// Any bytes as a network file, and as the header of one whose length fits: rejected, or a network that is written and
// read back to the same bits.
// reader: src/network/safetensors.cpp
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "politex/base/error.hpp"
#include "politex/network/safetensors.hpp"

namespace {

void refuse_or_read(const std::string& bytes) {
  std::string written;
  try {
    const auto [network, metadata] = politex::from_safetensors("explorer.file", "a.safetensors", bytes);
    written = politex::to_safetensors(network, metadata);
  } catch (const politex::ConfigError&) {
    return;
  }
  const auto [network, metadata] = politex::from_safetensors("again", "b.safetensors", written);
  if (politex::to_safetensors(network, metadata) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  refuse_or_read(bytes);
  // The text up to its last brace is the header: a change of its size does not spoil the file.
  const std::uint64_t length = bytes.rfind('}') + 1;
  std::string framed(sizeof length, '\0');
  std::memcpy(framed.data(), &length, sizeof length);
  refuse_or_read(framed + bytes);
  return 0;
}
