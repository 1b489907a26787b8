// Any bytes as a checkpoint, as they are and as a body whose header is right (or the checksum would stop them all).
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/lab/checkpoint.hpp"

namespace {

void refuse_or_read(std::span<const std::byte> bytes) {
  try {
    // What was read and written again is what stood there, up to the header and what may follow.
    const auto again = politex::lab::encode(politex::lab::decode(bytes));
    constexpr std::size_t header = 32;
    if (again.size() > bytes.size()) std::abort();
    if (!std::equal(again.begin() + header, again.end(), bytes.begin() + header)) std::abort();
  } catch (const politex::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto body = std::as_bytes(std::span(data, size));
  refuse_or_read(body);
  politex::Signature checksum;
  checksum.add(body);
  const std::uint64_t tail[] = {size, checksum.value()};
  auto framed = politex::lab::encode({});
  framed.resize(32);
  std::memcpy(framed.data() + 16, tail, sizeof tail);
  framed.insert(framed.end(), body.begin(), body.end());
  refuse_or_read(framed);
  return 0;
}
