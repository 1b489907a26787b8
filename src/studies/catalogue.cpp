#include "politex/studies/catalogue.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/figures/cartpole/figure.hpp"
#include "politex/figures/deep_sea/figure.hpp"
#include "politex/figures/ms_pacman/figure.hpp"
#include "politex/figures/theory/figure.hpp"
#include "politex/studies/control/figure.hpp"
#include "politex/studies/exploration/figure.hpp"
#include "politex/studies/field/figure.hpp"

namespace politex::inline studies {

std::span<const Figure> all_figures() {
  // clang-format off
  static const Figure all[] = {
      deep_sea_figure(),
      theory_figure(),
      cartpole_figure(),
      ms_pacman_figure(),
      exploration_figure(),
      field_figure(),
      control_figure(),
  };
  // clang-format on
  return all;
}

const Figure& find_figure(std::string_view name) {
  std::string accepted;
  for (const Figure& figure : all_figures()) {
    if (figure.name == name) return figure;
    accepted += fmt::format("{}, ", figure.name);
  }
  throw ConfigError("FIGURE", fmt::format("'{}' is not a figure; accepted: {}all", name, accepted));
}

}  // namespace politex::inline studies
