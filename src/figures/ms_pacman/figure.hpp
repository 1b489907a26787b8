// The paper's Ms. Pac-Man figure: five pairs of seeds, 150,000 steps each, or 1.2 million with --long.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/figures/figure.hpp"
#include "politex/figures/ms_pacman/film.hpp"
#include "politex/record/episodes.hpp"

namespace politex::inline figures {

struct GameVariant {
  std::string_view name;   // in runs.csv; experiments/ms_pacman/<name>.toml
  std::string_view label;  // for people
  bool explores = true;
};
/// EE-Politex, then Politex.
std::span<const GameVariant, 2> game_variants();

struct GameGrid {
  int seeds = 5;  // from first_judged_seed on, for both variants: pairs
  std::int64_t steps = 150'000;
  bool quick = false, long_run = false;
};
/// `seeds` 0: the figure's own number.
GameGrid game_grid(bool quick, bool long_run, int seeds = 0);

/// Trains the exploration policy: experiments/ms_pacman/explorer.toml.
Cell game_explorer_cell(const GameGrid& grid);
/// Variants in their order, then seeds, then the explorer's training, which is an earlier stage: EE-Politex explores
/// with the policy that it writes below `directory`.
std::vector<Cell> game_cells(const GameGrid& grid, const std::filesystem::path& directory);

struct GameRun {
  std::size_t variant = 0;
  std::uint64_t seed = 0;
  std::vector<neural::Episode> episodes;  // games; rewards are the game's own score
  std::string summary;                    // the text of summary.json

  /// Score of the learned policy's games that ended in the last fifth of the steps.
  double final_score(const GameGrid& grid) const;
  /// Points per thousand steps, games of both players; games that the end of the run cut off are left out.
  double points_a_thousand(const GameGrid& grid) const;
  double explorer_score() const;
};
/// Reads what a finished run left in its directory; throws Error where that is not there.
GameRun read_game_run(const std::filesystem::path& directory, std::size_t variant, std::uint64_t seed);

/// One value of every run of a variant, in the order of the seeds.
std::vector<double> by_seed(std::span<const GameRun> runs, std::size_t variant,
                            double (*value)(const GameRun&, const GameGrid&), const GameGrid& grid);
/// EE-Politex minus Politex, seed by seed.
std::vector<double> paired(std::span<const GameRun> runs, double (*value)(const GameRun&, const GameGrid&),
                           const GameGrid& grid);

/// The mean over the seeds at the thirtieths of the run where every seed has a game, with its interval.
struct GamePoint {
  std::int64_t step = 0;
  Interval score;
};
std::vector<GamePoint> game_curve(std::span<const GameRun> runs, std::size_t variant, Players players,
                                  const GameGrid& grid);

/// One row per run; no times, so equal runs give equal bytes.
std::string game_csv(std::span<const GameRun> runs, const GameGrid& grid);
/// Every point of every curve.
std::string game_curves_csv(std::span<const GameRun> runs, const GameGrid& grid);

/// What the exploration policy and random ones were measured to do: from the summary of its training.
struct ExplorerFacts {
  struct Line {
    std::string policy;
    double reached = 0.0, cells = 0.0, score = 0.0;  // share of goals; cells and score per game
    double goals = 0.0, games = 0.0;                 // that the shares and means are of
  };
  std::vector<Line> lines;
  double positions = 0.0, cells = 0.0, steps = 0.0;
};
/// Throws Error where the text is not such a summary.
ExplorerFacts read_explorer_facts(const std::string& summary);

/// What is shown next to the runs.
struct GameShow {
  ExplorerFacts explorer;
  GoalPolicy map;  // its positions are the corridors of the maze
  std::vector<ShownGame> games;
};

/// The corridors as far as they were found, and one game's way through them, from dark to light, with the numbers of
/// its frames.
std::string map_svg(const GoalPolicy& map, const ShownGame& game);

FigureReport game_report(std::span<const GameRun> runs, const GameGrid& grid, const GameShow& show);

std::vector<Claim> game_claims(std::span<const GameRun> runs, const GameGrid& grid);

/// Its entry in the catalogue.
Figure ms_pacman_figure();

}  // namespace politex::inline figures
