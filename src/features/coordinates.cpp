#include "politex/features/coordinates.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::inline features {

std::int64_t number_of_features(const char* key, std::int64_t base, std::size_t exponent, std::int64_t times) {
  std::int64_t result = times;
  for (std::size_t k = 0; k < exponent; ++k) {
    result *= base;
    if (result > most_features)
      throw ConfigError{key, fmt::format("{} per coordinate makes more than {} features of {} coordinates; accepted: a "
                                         "smaller number",
                                         base, most_features, exponent)};
  }
  return result;
}

}  // namespace politex::inline features
