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
  std::vector<GamePath> paths;
  std::string film;
};

/// Writes runs.csv, curves.csv, ms_pacman.svg and .png, seeds.svg and .png, report.html; returns the judged claims.
std::vector<Claim> write_games(std::span<const GameRun> runs, const GameGrid& grid, const GameShow& show,
                               const std::filesystem::path& directory, const std::string& command);

/// The way of the game that a finished run left as its sample.
GamePath read_sample_path(const std::filesystem::path& directory, const neural::GoalMap& map, std::string label);

}  // namespace politex::lab
