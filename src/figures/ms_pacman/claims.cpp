#include "politex/figures/ms_pacman/figure.hpp"

#include <fmt/format.h>

namespace politex::inline figures {
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
  Claim helps_not =
      new_claim("(a)", "Exploration does not help on Ms. Pac-Man: EE-Politex learns no better policy than Politex.",
                "The score per game of the learned policy in the last fifth of the run, EE-Politex minus Politex, pair "
                "by pair of seeds, is below 0.");
  helps_not.checks = {{"EE-Politex minus Politex", "", fmt::format("{} points per game", interval_text(learned, 0)),
                       is_below(learned, 0.0)}};
  Claim collects_less =
      new_claim("(b)", "EE-Politex collects less, because of its exploration episodes.",
                "Points per thousand steps of the whole run, EE-Politex minus Politex, pair by pair, are below 0; and "
                "EE-Politex's exploration games score less than its own learned ones.");
  collects_less.checks = {
      {"EE-Politex minus Politex", "", fmt::format("{} points per 1000 steps", interval_text(collected, 0)),
       is_below(collected, 0.0)},
      {"its exploration games minus its learned ones", "",
       fmt::format("{} points per game", interval_text(exploring, 0)), is_below(exploring, 0.0)}};
  return {helps_not, collects_less};
}

}  // namespace politex::inline figures
