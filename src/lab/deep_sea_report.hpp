// The pictures and the page of the DeepSea figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/deep_sea_grid.hpp"
#include "politex/lab/plot.hpp"

namespace politex::lab {

/// Average cost against N: the eight curves and TUNED, with the three reference lines.
Plot deep_sea_plot(const DeepSeaData& data);
/// The two one-visit curves, plain and with s made coprime.
Plot one_visit_plot(const DeepSeaData& data);

struct DeepSeaReport {
  const DeepSeaData& data;
  const std::vector<Claim>& claims;
  std::string_view figure_svg, one_visit_svg;
  std::string command;    // that made it
  std::string signature;  // of all runs together
};

/// The whole report.html; the same data give the same bytes.
std::string deep_sea_html(const DeepSeaReport& report);

}  // namespace politex::lab
