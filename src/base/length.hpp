// A number of steps given as an integer or as a multiple of the environment's size: 12, "N", "8N", "3N/4".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace politex::inline base {

struct Length {
  std::int64_t constant = 0;   // used when numerator is 0
  std::int64_t numerator = 0;  // numerator * N / denominator, floored
  std::int64_t denominator = 1;

  static Length steps(std::int64_t count) { return {.constant = count, .numerator = 0, .denominator = 1}; }
  /// Throws a ConfigError that names `key` if the text has none of the accepted forms.
  static Length parse(std::string_view key, std::string_view text);

  std::int64_t resolve(int size) const noexcept { return numerator == 0 ? constant : numerator * size / denominator; }
  std::string text() const;
  friend bool operator==(const Length&, const Length&) = default;
};

}  // namespace politex::inline base
