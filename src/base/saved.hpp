// Checks of what a checkpoint holds. A checksum shows that a file is as it was written, not who wrote it: every
// restore() checks all that it reads before it is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>

#include "politex/base/bytes.hpp"
#include "politex/base/sparse_rows.hpp"

namespace politex::inline base {

/// No count in a run is larger.
inline constexpr double most_count = static_cast<double>(ByteReader::most);

/// Throws DamagedState unless what was read `fits`; `what` names it.
inline void check_saved(bool fits, const char* what) {
  if (!fits) throw DamagedState(what);
}

inline bool all_finite(const std::ranges::input_range auto& values) {
  return std::ranges::all_of(values, [](auto value) { return std::isfinite(value); });
}

/// low <= each < high.
template <std::ranges::input_range Values, class T = std::ranges::range_value_t<Values>>
bool all_within(const Values& values, T low, T high) {
  return std::ranges::all_of(values, [&](T value) { return value >= low && value < high; });
}

/// Whether every `actions` numbers are probabilities that sum to 1, up to rounding.
inline bool are_distributions(const std::ranges::random_access_range auto& values, std::size_t actions) {
  if (actions == 0 || values.size() % actions != 0) return false;
  for (std::size_t begin = 0; begin < values.size(); begin += actions) {
    double sum = 0.0;
    for (std::size_t k = begin; k < begin + actions; ++k) {
      if (!(values[k] >= 0.0)) return false;
      sum += values[k];
    }
    if (!(std::abs(sum - 1.0) < 1e-3)) return false;
  }
  return true;
}

/// Whether these are `count` rows of finite numbers in columns that exist. As the solvers rely on, only the first entry
/// of a row may be in one of the first `exclusive` columns.
inline bool are_rows(const SparseRows& rows, std::size_t count, int exclusive = 0) {
  if (!(rows.first.size() == count + 1 && rows.first.front() == 0 && std::ranges::is_sorted(rows.first) &&
        rows.first.back() == static_cast<std::int64_t>(rows.index.size()) && rows.index.size() == rows.value.size() &&
        all_within(rows.index, 0, rows.columns) && all_finite(rows.value)))
    return false;
  for (std::size_t row = 0; row < count; ++row)
    for (auto k = rows.first[row] + 1; k < rows.first[row + 1]; ++k)
      if (rows.index[static_cast<std::size_t>(k)] < exclusive) return false;
  return true;
}

}  // namespace politex::inline base
