#include "politex/features/coordinates.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

#include "politex/base/error.hpp"

namespace politex::inline features {

std::int64_t number_of_features(const char* key, std::int64_t base, std::size_t exponent, std::int64_t times,
                                std::int64_t most) {
  std::int64_t result = times;
  for (std::size_t k = 0; k < exponent; ++k) {
    result *= base;
    if (result > most)
      throw ConfigError{key, fmt::format("{} per coordinate makes more than {} features of {} coordinates; accepted: a "
                                         "smaller number",
                                         base, most, exponent)};
  }
  return result;
}

std::vector<std::vector<std::size_t>> groups_of(const std::string& text, std::size_t coordinates) {
  std::vector<std::vector<std::size_t>> groups;
  if (text.find_first_not_of(' ') == std::string::npos) {
    groups.emplace_back(coordinates);
    std::iota(groups.back().begin(), groups.back().end(), std::size_t{0});
    return groups;
  }
  const auto refuse = [&](std::string_view part) {
    throw ConfigError{
        "features.groups",
        fmt::format("\"{}\" in \"{}\" is not accepted; accepted: numbers from 0 to {}, with commas inside "
                    "a product and semicolons between products, each number once in a product",
                    part, text, coordinates - 1)};
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    auto& group = groups.emplace_back();
    for (std::size_t at = begin; at <= end;) {
      const std::size_t stop = std::min(text.find(',', at), end);
      std::string_view part = std::string_view(text).substr(at, stop - at);
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      std::size_t number = 0;
      const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
      if (part.empty() || read.ec != std::errc{} || read.ptr != part.data() + part.size() || number >= coordinates ||
          std::ranges::find(group, number) != group.end())
        refuse(part);
      group.push_back(number);
      at = stop + 1;
    }
    begin = end + 1;
  }
  return groups;
}

}  // namespace politex::inline features
