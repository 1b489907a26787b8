#include "politex/base/length.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "politex/base/error.hpp"

namespace politex::inline base {
namespace {

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Length Length::parse(std::string_view key, std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return ConfigError{std::string(key),
                       fmt::format("\"{}\" {}; accepted: a whole number of steps >= 0, or a multiple of "
                                   "the environment's size N such as \"N\", \"8N\", \"3N/4\"",
                                   text.substr(0, 60), why)};
  };
  constexpr std::int64_t limit = 1'000'000'000'000;
  if (const auto constant = whole(text)) {
    if (*constant < 0 || *constant > limit) throw refuse("is out of range");
    return steps(*constant);
  }
  const auto n = text.find('N');
  if (n == std::string_view::npos) throw refuse("is not a length");
  const auto numerator = n == 0 ? std::optional<std::int64_t>{1} : whole(text.substr(0, n));
  const std::string_view rest = text.substr(n + 1);
  const auto denominator = rest.empty()          ? std::optional<std::int64_t>{1}
                           : rest.front() == '/' ? whole(rest.substr(1))
                                                 : std::nullopt;
  if (!numerator || !denominator) throw refuse("is not a length");
  if (*numerator < 1 || *numerator > 1'000'000 || *denominator < 1 || *denominator > 1'000'000)
    throw refuse("is out of range");
  return {.constant = 0, .numerator = *numerator, .denominator = *denominator};
}

std::string Length::text() const {
  if (numerator == 0) return fmt::format("{}", constant);
  return fmt::format("{}N{}", numerator == 1 ? "" : fmt::format("{}", numerator),
                     denominator == 1 ? "" : fmt::format("/{}", denominator));
}

}  // namespace politex::inline base
