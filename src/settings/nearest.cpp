#include "politex/settings/nearest.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace politex::inline settings {

int edit_distance(std::string_view a, std::string_view b) {
  // A very long key is not a misspelling: the table stays small.
  constexpr std::size_t longest = 64;
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int best = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = std::min(best, at(i - 2, j - 2) + 1);
      at(i, j) = best;
    }
  }
  return at(a.size(), b.size());
}

std::string nearest(std::string_view name, std::span<const std::string_view> known) {
  int best = std::numeric_limits<int>::max();
  std::string_view chosen;
  for (const std::string_view candidate : known) {
    const int distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      chosen = candidate;
    }
  }
  return std::string(chosen);
}

}  // namespace politex::inline settings
