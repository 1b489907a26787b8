// From finished runs to the directory of the DeepSea figure.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "politex/lab/deep_sea_grid.hpp"
#include "politex/lab/reproduce.hpp"

namespace politex::lab {

/// Writes runs.csv, deep_sea.{gp,svg,png}, one_visit.{gp,svg,png} and report.html; the same runs give the same bytes.
void write_deep_sea(std::span<const DeepSeaRun> runs, const DeepSeaGrid& grid, const std::filesystem::path& directory,
                    const std::string& command);

}  // namespace politex::lab
