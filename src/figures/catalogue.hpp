// Every figure that `politex reproduce` makes.
#pragma once

#include <span>
#include <string_view>

#include "politex/figures/figure.hpp"

namespace politex::inline figures {

/// In the order of the paper.
std::span<const Figure> all_figures();

/// The figure of that name; throws ConfigError that lists the accepted names.
const Figure& find_figure(std::string_view name);

}  // namespace politex::inline figures
