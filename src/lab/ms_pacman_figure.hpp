// From the runs of the Ms. Pac-Man figure to the files of its directory.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/ms_pacman_claims.hpp"
#include "politex/lab/ms_pacman_report.hpp"

namespace politex::lab {

/// What is shown beside the runs.
struct GameShow {
  ExplorerFacts explorer;
  neural::GoalPolicy map;
  std::vector<ShownGame> games;
};

/// Writes runs.csv, curves.csv, ms_pacman.svg and .png, seeds.svg and .png, film_<game>.png of every game that has
/// frames, report.html; returns the judged claims.
std::vector<Claim> write_games(std::span<const GameRun> runs, const GameGrid& grid, const GameShow& show,
                               const std::filesystem::path& directory, const std::string& command);

}  // namespace politex::lab
