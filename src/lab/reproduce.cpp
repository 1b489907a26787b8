#include "politex/lab/reproduce.hpp"

#include <array>

#include <fmt/format.h>

#include "politex/base/error.hpp"

namespace politex::lab {

namespace {

constexpr std::array catalogue{
    Figure{.name = "deep_sea",
           .help = "average cost against the grid side N for every linear learner, and the paper's claims judged",
           .reproduce = reproduce_deep_sea},
};

}  // namespace

std::span<const Figure> figures() { return catalogue; }

const Figure& find_figure(std::string_view name) {
  std::string accepted;
  for (const Figure& figure : catalogue) {
    if (figure.name == name) return figure;
    accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", figure.name);
  }
  throw ConfigError("FIGURE", fmt::format("'{}' is not a figure; accepted: {}", name, accepted));
}

}  // namespace politex::lab
