// The arithmetics that exact answers are computed in: double, long double and, where these are not enough, 113 bits in
// software.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace politex::exact {

__extension__ using Quad = __float128;  // range of exponents as long double

/// What std::numeric_limits does not know of Quad in strict C++.
template <class Real>
struct Arithmetic {
  static constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  static constexpr Real smallest = std::numeric_limits<Real>::min();
};
template <>
struct Arithmetic<Quad> {
  static constexpr Quad epsilon = static_cast<Quad>(0x1p-112);
  static constexpr Quad smallest = static_cast<Quad>(std::numeric_limits<long double>::min());
};
template <class Real>
constexpr const char* arithmetic_name = std::is_same_v<Real, double>        ? "53 bits"
                                        : std::is_same_v<Real, long double> ? "64 bits"
                                                                            : "113 bits";

template <class Real>
constexpr Real magnitude(Real value) noexcept {
  return value < Real(0) ? -value : value;
}

template <class Real>
std::vector<double> to_double(const std::vector<Real>& values) {
  std::vector<double> result(values.size());
  std::ranges::transform(values, result.begin(), [](Real v) { return static_cast<double>(v); });
  return result;
}

}  // namespace politex::exact
