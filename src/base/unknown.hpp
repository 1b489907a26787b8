// A number that is not known.
#pragma once

#include <limits>

namespace politex {

/// Stands where a number is missing; files show it as an empty field or null.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace politex
