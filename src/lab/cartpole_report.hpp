// The picture and the page of the cartpole figure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/lab/cartpole_grid.hpp"
#include "politex/lab/claims.hpp"
#include "politex/lab/plot.hpp"

namespace politex::lab {

/// Reward per episode of the learned policy against steps: every seed of the figure's two curves, and their explorer's
/// own score; with --compare the mean over the seeds of every variant.
Plot cartpole_plot(std::span<const CartpoleRun> runs, const CartpoleGrid& grid);

struct CartpoleReport {
  std::span<const CartpoleRun> runs;
  const CartpoleGrid& grid;
  const std::vector<Claim>& claims;  // none with --compare
  std::string_view figure_svg;
  std::string command;  // that made it
};

/// The whole report.html; the same data give the same bytes.
std::string cartpole_html(const CartpoleReport& report);

}  // namespace politex::lab
