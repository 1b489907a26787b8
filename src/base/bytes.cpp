#include "politex/base/bytes.hpp"

#include <fmt/format.h>

namespace politex::inline base {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word(const std::byte* bytes, std::size_t count) noexcept {
  std::uint64_t value = 0;
  if (count > 0) std::memcpy(&value, bytes, count);  // an empty span may have no address
  return value;
}

}  // namespace

void Signature::add(std::span<const std::byte> bytes) noexcept {
  // Two words per multiplication; the odd constants keep a zero word from erasing the state.
  std::uint64_t state = mix(state_ ^ 0xa0761d6478bd642f, 0xe7037ed1a0b428db ^ bytes.size());
  std::size_t at = 0;
  for (; at + 16 <= bytes.size(); at += 16)
    state = mix(word(bytes.data() + at, 8) ^ 0x8ebc6af09c88c6e3, word(bytes.data() + at + 8, 8) ^ state);
  const std::size_t left = bytes.size() - at;
  const std::uint64_t low = word(bytes.data() + at, left < 8 ? left : 8);
  const std::uint64_t high = left > 8 ? word(bytes.data() + at + 8, left - 8) : 0;
  state_ = mix(low ^ 0x589965cc75374cc3, high ^ state ^ 0x1d8e4e27c47d124f);
}

std::string Signature::text() const { return fmt::format("{:016x}", state_); }

}  // namespace politex::inline base
