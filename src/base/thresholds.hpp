// Sampling from a fixed distribution by comparing one draw of 53 bits with integer thresholds.
#pragma once

#include <cstdint>

namespace politex::inline base {

inline constexpr std::uint64_t certain53 = std::uint64_t{1} << 53;

/// A draw of 53 bits is below this with probability `cumulative` (to 2^-53); always for 1 and more.
inline std::uint64_t threshold53(double cumulative) noexcept {
  return cumulative >= 1.0 ? certain53 : static_cast<std::uint64_t>(cumulative * 0x1p53);
}

}  // namespace politex::inline base
