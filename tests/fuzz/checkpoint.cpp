// Any bytes as a checkpoint, and as the body of one with a correct header, because the checksum would reject all
// others.
// reader: src/record/checkpoint.cpp
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "politex/base/bytes.hpp"
#include "politex/record/checkpoint.hpp"

namespace {

void refuse_or_read(std::span<const std::byte> bytes) {
  try {
    // Reading and writing again must give the same bytes, except for the header and a possible tail.
    const auto again = politex::encode(politex::decode(bytes));
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
  auto framed = politex::encode({});
  framed.resize(32);
  std::memcpy(framed.data() + 16, tail, sizeof tail);
  framed.insert(framed.end(), body.begin(), body.end());
  refuse_or_read(framed);
  return 0;
}
