// The report of the Ms. Pac-Man figure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "politex/lab/claims.hpp"
#include "politex/lab/ms_pacman_film.hpp"
#include "politex/lab/ms_pacman_grid.hpp"
#include "politex/lab/plot.hpp"

namespace politex::lab {

/// What the exploration policy was measured to do, beside random ones: out of the summary of its training.
struct ExplorerFacts {
  struct Line {
    std::string policy;
    double reached = 0.0, cells = 0.0, score = 0.0;  // share of goals; cells and score a game
    double goals = 0.0, games = 0.0;                 // that the shares and means are of
  };
  std::vector<Line> lines;
  double positions = 0.0, cells = 0.0, steps = 0.0;
};
/// Throws Error where the text is no such summary.
ExplorerFacts read_explorer_facts(const std::string& summary);

struct GameReport {
  std::span<const GameRun> runs;
  GameGrid grid;
  std::span<const Claim> claims;
  ExplorerFacts explorer;
  neural::GoalPolicy map;  // its positions are the corridors of the maze
  std::span<const ShownGame> games;
  std::string figure_svg, seeds_svg;
  std::string command;
};

/// Means over the seeds with intervals: learned games, all games; explorer, uniform and sticky random as lines.
Plot game_plot(std::span<const GameRun> runs, const GameGrid& grid, const ExplorerFacts& explorer);
/// Every seed's learned games.
Plot game_seeds_plot(std::span<const GameRun> runs, const GameGrid& grid);
/// The corridors as far as they were met, and one game's way through them, from dark to light; the places of its
/// frames by their numbers.
std::string map_svg(const neural::GoalPolicy& map, const ShownGame& game);
std::string game_html(const GameReport& report);

}  // namespace politex::lab
