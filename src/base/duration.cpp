#include "politex/base/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace politex::inline base {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::lround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace politex::inline base
