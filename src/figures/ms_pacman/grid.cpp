#include "politex/figures/ms_pacman/figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "politex/base/files.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

constexpr std::array both_variants{GameVariant{"ee_politex", "EE-Politex", true},
                                   GameVariant{"politex", "Politex", false}};
constexpr std::int64_t game_bins = 30;
constexpr std::int64_t always = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::span<const GameVariant, 2> game_variants() { return both_variants; }

GameGrid game_grid(bool quick, bool long_run, int seeds) {
  GameGrid grid{.seeds = quick ? 2 : 5, .quick = quick, .long_run = long_run};
  grid.steps = quick ? 30'000 : long_run ? 1'200'000 : read_experiment("ms_pacman/ee_politex.toml").steps;
  if (seeds > 0) grid.seeds = seeds;
  return grid;
}

Cell game_explorer_cell(const GameGrid& grid) {
  Cell cell{.name = "", .experiment = "ms_pacman/explorer.toml", .overrides = {}};
  if (grid.quick) cell.overrides = {"steps=30000", "goal.measure=4000"};
  cell.name = fmt::format("explorer,steps={}", config_of(cell).steps);
  return cell;
}

std::vector<Cell> game_cells(const GameGrid& grid, const std::filesystem::path& directory) {
  std::vector<Cell> cells;
  const Cell explorer = game_explorer_cell(grid);
  const auto policy = std::filesystem::absolute(directory / "runs" / explorer.name / "explorer.policy");
  for (const GameVariant& variant : both_variants) {
    for (int i = 0; i < grid.seeds; ++i) {
      const std::uint64_t seed = judged_seed(i);
      // The length is part of the name, so that short and long runs can share a directory.
      cells.push_back({.name = fmt::format("variant={},steps={},seed={}", variant.name, grid.steps, seed),
                       .experiment = fmt::format("ms_pacman/{}.toml", variant.name),
                       .overrides = {fmt::format("steps={}", grid.steps)},
                       .seed = seed,
                       .stage = 1});
      if (variant.explores) cells.back().overrides.push_back(fmt::format("explorer.file={}", policy.string()));
    }
  }
  cells.push_back(explorer);
  return cells;
}

double GameRun::final_score(const GameGrid& grid) const {
  return mean(episode_rewards(episodes, Player::policy, grid.steps - grid.steps / 5, grid.steps));
}

double GameRun::points_a_thousand(const GameGrid& grid) const {
  const std::vector<double> scores = episode_rewards(episodes, everybody, 0, always);
  return 1000.0 * std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(grid.steps);
}

double GameRun::explorer_score() const { return mean(episode_rewards(episodes, Player::explorer, 0, always)); }

GameRun read_game_run(const std::filesystem::path& directory, std::size_t variant, std::uint64_t seed) {
  return {.variant = variant,
          .seed = seed,
          .episodes = read_episodes(directory),
          .summary = read_file("summary.json", (directory / "summary.json").string())};
}

std::vector<double> by_seed(std::span<const GameRun> runs, std::size_t variant,
                            double (*value)(const GameRun&, const GameGrid&), const GameGrid& grid) {
  std::map<std::uint64_t, double> values;
  for (const GameRun& run : runs)
    if (run.variant == variant) values[run.seed] = value(run, grid);
  std::vector<double> ordered;
  for (const auto& [seed, each] : values) ordered.push_back(each);
  return ordered;
}

std::vector<double> paired(std::span<const GameRun> runs, double (*value)(const GameRun&, const GameGrid&),
                           const GameGrid& grid) {
  std::vector<double> differences = by_seed(runs, 0, value, grid);
  const std::vector<double> without = by_seed(runs, 1, value, grid);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= without.at(i);
  return differences;
}

std::vector<GamePoint> game_curve(std::span<const GameRun> runs, std::size_t variant, Players players,
                                  const GameGrid& grid) {
  std::map<std::int64_t, std::vector<double>> points;
  for (const GameRun& run : runs) {
    if (run.variant != variant) continue;
    for (const EpisodePoint& point : episode_curve(run.episodes, players, grid.steps, game_bins))
      points[point.step].push_back(point.reward);
  }
  std::vector<GamePoint> curve;
  for (const auto& [step, scores] : points)
    if (scores.size() == static_cast<std::size_t>(grid.seeds)) curve.push_back({step, drawn_interval(scores)});
  return curve;
}

std::string game_csv(std::span<const GameRun> runs, const GameGrid& grid) {
  std::string text =
      "variant,seed,steps,score_last_fifth,score_learned,score_explorer,points_per_1000,games_learned,games_explorer,"
      "phases,learner_steps\n";
  for (const GameRun& run : runs) {
    const auto reported = [&](const char* name) { return csv_text(summary_number(run.summary, name)); };
    const auto learned = episode_rewards(run.episodes, Player::policy, 0, always);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", both_variants.at(run.variant).name, run.seed, grid.steps,
                        csv_text(run.final_score(grid)), csv_text(mean(learned)), csv_text(run.explorer_score()),
                        csv_text(run.points_a_thousand(grid)), learned.size(),
                        episode_rewards(run.episodes, Player::explorer, 0, always).size(), reported("phases"),
                        reported("learner_steps"));
  }
  return text;
}

std::string game_curves_csv(std::span<const GameRun> runs, const GameGrid& grid) {
  std::string text = "variant,seed,games,steps,score\n";
  for (const GameRun& run : runs)
    for (const auto& [name, players] : {std::pair{"learned", Players(Player::policy)}, std::pair{"all", everybody}})
      for (const EpisodePoint& point : episode_curve(run.episodes, players, grid.steps, game_bins))
        text += fmt::format("{},{},{},{},{}\n", both_variants.at(run.variant).name, run.seed, name, point.step,
                            point.reward);
  return text;
}

}  // namespace politex::inline figures
