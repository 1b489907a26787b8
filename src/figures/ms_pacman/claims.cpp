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
  const std::vector<double> learned = paired(runs, learned_score, grid), collected = paired(runs, points, grid),
                            exploring = by_seed(runs, 0, explorer_loss, grid);
  // A tenth of what Politex reaches is a difference that matters.
  const double matters = 0.1 * mean(by_seed(runs, 1, learned_score, grid));
  const double matters_collected = 0.1 * mean(by_seed(runs, 1, points, grid));
  const auto text = [](const std::vector<double>& values, const char* unit) {
    return fmt::format("{} {}", interval_text(t_interval(values), 0), unit);
  };
  Claim helps_not =
      new_claim("(a)", "Exploration does not help on Ms. Pac-Man: EE-Politex learns no better policy than Politex.",
                "The score per game of the learned policy in the last fifth of the run, EE-Politex minus Politex, pair "
                "by pair of seeds, is below a tenth of Politex's mean score: a smaller gain does not count as help.");
  helps_not.checks = {
      {"EE-Politex minus Politex", "", text(learned, "points per game"), mean_below(learned, matters, 0.0)}};
  Claim collects_less =
      new_claim("(b)", "EE-Politex collects less, because of its exploration episodes.",
                "Points per thousand steps of the whole run, EE-Politex minus Politex, pair by pair, are below 0; and "
                "EE-Politex's exploration games score less than its own learned ones.");
  collects_less.checks = {{"EE-Politex minus Politex", "", text(collected, "points per 1000 steps"),
                           mean_below(collected, 0.0, -matters_collected)},
                          {"its exploration games minus its learned ones", "", text(exploring, "points per game"),
                           mean_below(exploring, 0.0, -matters)}};
  return {helps_not, collects_less};
}

}  // namespace politex::inline figures
