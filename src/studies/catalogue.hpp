// Every figure that `politex reproduce` makes.
#pragma once

#include <span>
#include <string_view>

#include "politex/figures/figure.hpp"

namespace politex::inline studies {

/// Those of the paper in its order, then those of our own questions.
std::span<const Figure> all_figures();

/// The figure of that name; throws ConfigError that lists the accepted names.
const Figure& find_figure(std::string_view name);

}  // namespace politex::inline studies
