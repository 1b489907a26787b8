#include "politex/figures/ms_pacman/figure.hpp"

#include <fmt/format.h>

#include "politex/base/files.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline figures {
namespace {

constexpr std::size_t frames_of_a_game = 12;

ShownGame explorer_game(const Config& config, const GoalPolicy& policy) {
  constexpr int number = 1000;  // of an environment that was not used for training
  const auto block = [&] { return start_processes(config, number, 1, 1); };
  ShownGame game = play_explorer_game(*block(), policy, Rng(config.seed, Use::explorer, number));
  game.name = "explorer";
  game.label = "A game of the exploration policy";
  film_game(game, *block(), policy.map, frames_of_a_game);
  return game;
}

ShownGame learned_game(const std::filesystem::path& directory, const Config& config, const GameVariant& variant,
                       const GoalMap& map) {
  ShownGame game = read_sample_game(directory, map);
  game.name = variant.name;
  game.label = fmt::format("A game of the final policy of {}, seed {}", variant.label, config.seed);
  // NeuralRun::sample_episode_csv played it in the environment after the run's own ones.
  const auto number = static_cast<int>(config.whole("actors.environments"));
  film_game(game, *start_processes(config, number, 1, 1), map, frames_of_a_game);
  return game;
}

GameGrid game_grid_of(const FigureOptions& options) {
  return game_grid(options.quick, options.long_run, options.seeds);
}

void require_game(const FigureOptions& options) {
  start_processes(config_of(game_explorer_cell(game_grid_of(options))), 0, 1, 1).reset();
}

std::vector<Cell> game_cells_of(const FigureOptions& options) {
  std::vector<Cell> cells = game_cells(game_grid_of(options), options.out);
  // Several runs at a time keep the cores busy: one process each, and the learner's thread.
  for (Cell& cell : cells)
    if (options.jobs > 1 && cell.stage > 0)
      for (const char* setting : {"actors.threads=0", "actors.processes=1"}) cell.overrides.emplace_back(setting);
  return cells;
}

FigureReport game_report_of(const Finished& finished) {
  const GameGrid grid = game_grid_of(finished.options);
  const auto seeds = static_cast<std::size_t>(grid.seeds);
  std::vector<GameRun> runs;
  for (std::size_t i = 0; i < 2 * seeds; ++i)
    runs.push_back(read_game_run(finished.directory(i), i / seeds, finished.cells[i].seed));
  const std::size_t training = 2 * seeds;
  const auto policy = finished.directory(training) / "explorer.policy";
  GameShow show{
      .explorer = read_explorer_facts(finished.summaries[training]),
      .map = GoalPolicy::read("explorer.file", policy.string(), read_file("explorer.policy", policy.string())),
      .games = {}};
  show.games.push_back(explorer_game(config_of(finished.cells[training]), show.map));
  for (const std::size_t first : {std::size_t{0}, seeds})
    show.games.push_back(learned_game(finished.directory(first), config_of(finished.cells[first]),
                                      game_variants()[runs[first].variant], show.map.map));
  return game_report(runs, grid, show);
}

}  // namespace

Figure ms_pacman_figure() {
  return {.name = "ms_pacman",
          .help = "Atari's Ms. Pac-Man: neural Politex with and without exploration, paired seeds (--long: 1.2M steps)",
          .cells = game_cells_of,
          .report = game_report_of,
          .require = require_game};
}

}  // namespace politex::inline figures
