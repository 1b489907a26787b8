// The paper's sentences on Ms. Pac-Man, judged by paired seeds.
#pragma once

#include <span>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/ms_pacman_grid.hpp"

namespace politex::lab {

std::vector<Claim> game_claims(std::span<const GameRun> runs, const GameGrid& grid);

}  // namespace politex::lab
