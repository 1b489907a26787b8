#include "politex/base/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace politex::inline base {

std::string duration_text(double seconds) {
  if (seconds > 0.0 && seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<long long>(std::lround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string short_count(double count) {
  for (const auto& [unit, letter] : {std::pair{1e12, 'T'}, {1e9, 'G'}, {1e6, 'M'}, {1e3, 'k'}})
    if (std::abs(count) >= 0.9995 * unit) return fmt::format("{:.3g}{}", count / unit, letter);
  return fmt::format("{:.0f}", count);
}

}  // namespace politex::inline base
