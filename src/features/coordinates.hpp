// Shared by the feature maps of continuous observations.
#pragma once

#include <algorithm>
#include <cstdint>

#include "politex/env/range.hpp"

namespace politex::inline features {

inline constexpr std::int64_t most_features = 5000;

/// The value as a share of its range, 0 to 1.
inline double scaled(double value, const Range& range) noexcept {
  return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
}

/// times * base^exponent. Throws ConfigError naming `key` where that is more than `most_features`.
std::int64_t number_of_features(const char* key, std::int64_t base, std::size_t exponent, std::int64_t times);

}  // namespace politex::inline features
