// The marker for a missing number.
#pragma once

#include <limits>

namespace politex::inline base {

/// A missing number; files show it as an empty field or null.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace politex::inline base
