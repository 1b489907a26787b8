// exp for nonpositive arguments, by additions and multiplications only. It gives the same bits on every machine and in
// every vector width, which the C library does not promise, and it is inlined in the loop over states.
#pragma once

#include <bit>
#include <cstdint>

namespace politex::inline base {

/// exp(x) for x <= 0 to about one unit in the last place; 0 below -708, where doubles lose precision.
/// Always inlined: called, the loop over states is not vectorised and takes twice the time. Large unity files hide it
/// from the compiler's own judgement.
[[gnu::always_inline]] inline double exp_nonpositive(double x) noexcept {
  constexpr double shift = 0x1.8p52;  // adding it rounds to the nearest integer and leaves it in the low bits
  const double clamped = x < -708.0 ? -708.0 : x;
  const double shifted = clamped * 1.4426950408889634 + shift;
  const double k = shifted - shift;
  const double r = (clamped - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;  // |r| <= log(2) / 2
  double sum = 1.0 / 6227020800.0;  // Taylor series to r^13: the remainder is below 5e-18
  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return x < -708.0 ? 0.0 : sum * std::bit_cast<double>(exponent);
}

}  // namespace politex::inline base
