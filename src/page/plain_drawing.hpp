// Figures without gnuplot: simpler, SVG only, drawn from the same description.
#pragma once

#include <string>
#include <vector>

#include "politex/page/plot.hpp"

namespace politex::inline page {

/// Round numbers between `low` and `high`, about `wanted` of them; powers of ten on a logarithmic axis.
std::vector<double> round_ticks(double low, double high, bool logarithmic, int wanted = 6);

/// A complete SVG file. Values that are not finite, or not positive on a logarithmic axis, are left out.
std::string plain_svg(const Plot& plot);

}  // namespace politex::inline page
