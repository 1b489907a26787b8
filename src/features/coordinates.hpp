// Shared by the feature maps of continuous observations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "politex/env/range.hpp"

namespace politex::inline features {

inline constexpr std::int64_t most_features = 5000;
/// The same where a row has few entries.
inline constexpr std::int64_t most_sparse_features = 10'000'000;

/// The value as a share of its range, 0 to 1.
inline double scaled(double value, const Range& range) noexcept {
  return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
}

/// times * base^exponent. Throws ConfigError naming `key` where that is more than `most`.
std::int64_t number_of_features(const char* key, std::int64_t base, std::size_t exponent, std::int64_t times,
                                std::int64_t most = most_features);

/// The coordinates of each product of features.groups: "0,1; 2" are the products of the first two, and the third alone.
/// Empty: all coordinates in one product. Throws ConfigError.
std::vector<std::vector<std::size_t>> groups_of(const std::string& text, std::size_t coordinates);
inline constexpr const char* groups_help =
    "coordinates that are combined, from 0: \"0,1; 2\" is the product of the first two, and the third alone; \"\": all";

}  // namespace politex::inline features
