#include "politex/lab/ms_pacman_figure.hpp"

#include <fmt/format.h>

#include "politex/base/files.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/process_environment.hpp"
#include "politex/lab/reproduce.hpp"
#include "politex/lab/run_directory.hpp"

namespace politex::lab {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t frames_of_a_game = 12;

ShownGame explorer_game(const Config& config, const neural::GoalPolicy& policy) {
  constexpr int number = 1000;  // of an environment that nobody trained in
  const auto world = [&] { return make_process_block(config.environment, config.seed, number, 1, 1); };
  ShownGame game = play_explorer_game(*world(), policy, Rng(config.seed, Use::explorer, number));
  game.name = "explorer";
  game.label = "A game of the exploration policy";
  film_game(game, *world(), policy.map, frames_of_a_game);
  return game;
}

ShownGame learned_game(const std::filesystem::path& directory, const Config& config, const GameVariant& variant,
                       const neural::GoalMap& map) {
  ShownGame game = read_sample_game(directory, map);
  game.name = variant.name;
  game.label = fmt::format("A game of the final policy of {}, seed {}", variant.label, config.seed);
  // Where NeuralRun::sample_episode_csv played it: after the run's own environments.
  const auto number = static_cast<int>(config.actors.environments);
  film_game(game, *make_process_block(config.environment, config.seed, number, 1, 1), map, frames_of_a_game);
  return game;
}

}  // namespace

std::vector<Claim> write_games(std::span<const GameRun> runs, const GameGrid& grid, const GameShow& show,
                               const fs::path& directory, const std::string& command) {
  const auto file = [&](const char* name) { return (directory / name).string(); };
  write_file(file("runs.csv"), game_csv(runs, grid));
  write_file(file("curves.csv"), game_curves_csv(runs, grid));
  std::vector<Claim> claims = game_claims(runs, grid);
  draw(game_plot(runs, grid, show.explorer), directory, "ms_pacman");
  draw(game_seeds_plot(runs, grid), directory, "seeds");
  for (const ShownGame& game : show.games)
    if (!game.frames.empty()) write_file(file(("film_" + game.name + ".png").c_str()), png(strip_of(game.frames)));
  write_file(file("report.html"), game_html({.runs = runs,
                                             .grid = grid,
                                             .claims = claims,
                                             .explorer = show.explorer,
                                             .map = show.map,
                                             .games = show.games,
                                             .figure_svg = read_file("ms_pacman.svg", file("ms_pacman.svg")),
                                             .seeds_svg = read_file("seeds.svg", file("seeds.svg")),
                                             .command = command}));
  return claims;
}

int reproduce_ms_pacman(const ReproduceOptions& options) {
  const int jobs = resolve_jobs(options.jobs);
  require_gnuplot();
  GameGrid grid = game_grid(options.quick, options.long_run);
  if (options.seeds > 0) grid.seeds = options.seeds;
  // Missing packages are told before anything is written.
  const Config trained = game_explorer_config(options.quick);
  make_process_block(trained.environment, 1, 0, 1, 1).reset();
  const fs::path directory = make_figure_directory(options, "ms_pacman");
  const RunDirectory held = RunDirectory::sweep(directory);

  SweepCell explorer;
  explorer.config = trained;
  explorer.name = fmt::format("explorer,steps={}", trained.steps);
  if (!run_figure({&explorer, 1}, directory, 1, options)) return 0;
  const fs::path explorer_run = fs::absolute(directory / "runs" / explorer.name);
  std::vector<SweepCell> cells = game_cells(grid, (explorer_run / "explorer.policy").string());
  // Runs side by side keep the cores busy: one child each, and the learner's thread.
  for (SweepCell& cell : cells) {
    cell.config.actors.threads = jobs > 1 ? 0 : -1;
    cell.config.actors.processes = jobs > 1 ? 1 : 0;
  }
  if (!run_figure(cells, directory, jobs, options)) return 0;

  std::vector<GameRun> runs;
  const auto place = [&](std::size_t i) { return directory / "runs" / cells[i].name; };
  for (std::size_t i = 0; i < cells.size(); ++i)
    runs.push_back(read_game_run(place(i), i / static_cast<std::size_t>(grid.seeds), cells[i].config.seed));
  const auto text = [](const fs::path& file) { return read_file(file.filename().string(), file.string()); };
  GameShow show{.explorer = read_explorer_facts(text(explorer_run / "summary.json")),
                .map = neural::GoalPolicy::read("explorer.file", text(explorer_run / "explorer.policy")),
                .games = {}};
  show.games.push_back(explorer_game(trained, show.map));
  for (const std::size_t first : {std::size_t{0}, static_cast<std::size_t>(grid.seeds)})
    show.games.push_back(
        learned_game(place(first), cells[first].config, game_variants()[runs[first].variant], show.map.map));
  tell_verdicts(options, write_games(runs, grid, show, directory, reproduce_command("ms_pacman", options)), directory);
  return 0;
}

}  // namespace politex::lab
