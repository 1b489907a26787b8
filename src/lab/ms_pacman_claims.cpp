#include "politex/lab/ms_pacman_claims.hpp"

#include <fmt/format.h>

namespace politex::lab {

namespace {

double learned_score(const GameRun& run, const GameGrid& grid) { return run.final_score(grid); }
double points(const GameRun& run, const GameGrid& grid) { return run.points_a_thousand(grid); }
double explorer_loss(const GameRun& run, const GameGrid& grid) {
  return run.explorer_score() - mean(episode_rewards(run.episodes, Player::policy, 0, grid.steps));
}

}  // namespace

std::vector<Claim> game_claims(std::span<const GameRun> runs, const GameGrid& grid) {
  const Interval learned = t_interval(paired(runs, learned_score, grid));
  const Interval collected = t_interval(paired(runs, points, grid));
  const Interval exploring = t_interval(by_seed(runs, 0, explorer_loss, grid));
  const Claim helps_not{
      .name = "(a)",
      .statement = "Exploration does not help on Ms. Pac-Man: EE-Politex learns no better policy than Politex.",
      .criterion =
          "The score a game of the learned policy in the last fifth of the run, EE-Politex minus Politex, pair "
          "by pair of seeds, lies below 0.",
      .checks = {{"EE-Politex minus Politex", "", fmt::format("{} points a game", interval_text(learned, 0)),
                  is_below(learned, 0.0)}},
      .beside = {}};
  const Claim collects_less{
      .name = "(b)",
      .statement = "EE-Politex collects less, because of its exploration episodes.",
      .criterion =
          "Points per thousand steps of the whole run, EE-Politex minus Politex, pair by pair, lie below 0; and "
          "EE-Politex's exploration games score less than its own learned ones.",
      .checks = {{"EE-Politex minus Politex", "", fmt::format("{} points per 1000 steps", interval_text(collected, 0)),
                  is_below(collected, 0.0)},
                 {"its exploration games minus its learned ones", "",
                  fmt::format("{} points a game", interval_text(exploring, 0)), is_below(exploring, 0.0)}},
      .beside = {}};
  return {helps_not, collects_less};
}

}  // namespace politex::lab
