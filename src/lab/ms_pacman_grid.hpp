// The runs behind the paper's Ms. Pac-Man figure, and what they measured.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "politex/base/statistics.hpp"
#include "politex/lab/config.hpp"
#include "politex/lab/episodes.hpp"
#include "politex/lab/sweep.hpp"

namespace politex::lab {

struct GameVariant {
  std::string_view name;   // in runs.csv; experiments/ms_pacman/<name>.toml
  std::string_view label;  // for people
  bool explores = true;
};
/// EE-Politex, then Politex.
std::span<const GameVariant, 2> game_variants();

struct GameGrid {
  int seeds = 5;  // 1..seeds, for both variants: pairs
  std::int64_t steps = 150'000;
  bool quick = false, long_run = false;
};
GameGrid game_grid(bool quick, bool long_run);

/// `explorer` is the policy file that EE-Politex explores with.
Config game_config(const GameVariant& variant, std::uint64_t seed, const GameGrid& grid, const std::string& explorer);
/// experiments/ms_pacman/explorer.toml.
Config game_explorer_config(bool quick);
/// One run directory each, variants in their order, then seeds.
std::vector<SweepCell> game_cells(const GameGrid& grid, const std::string& explorer);

struct GameRun {
  std::size_t variant = 0;
  std::uint64_t seed = 0;
  std::vector<neural::Episode> episodes;  // games; rewards are the game's own score
  std::string summary;                    // the text of summary.json

  /// Score of the learned policy's games that ended in the last fifth of the steps.
  double final_score(const GameGrid& grid) const;
  /// Points per thousand steps, everybody's games; the games that the end of the run cut off are left out.
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

}  // namespace politex::lab
