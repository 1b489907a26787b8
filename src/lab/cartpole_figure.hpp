// From finished runs to the directory of the cartpole figure.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/cartpole_grid.hpp"
#include "politex/lab/claims.hpp"

namespace politex::lab {

/// Writes runs.csv, curves.csv, cartpole.{gp,svg,png} and report.html; the same runs give the same bytes. Returns the
/// claims, none with --compare.
std::vector<Claim> write_cartpole(std::span<const CartpoleRun> runs, const CartpoleGrid& grid,
                                  const std::filesystem::path& directory, const std::string& command);

}  // namespace politex::lab
