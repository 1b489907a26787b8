#include "politex/lab/ms_pacman_figure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/process_environment.hpp"
#include "politex/lab/reproduce.hpp"
#include "politex/lab/run_directory.hpp"

namespace politex::lab {

namespace fs = std::filesystem;

namespace {

/// One game of the frozen explorer, in an environment that nobody trained in.
GamePath play_explorer(const Config& config, const neural::GoalPolicy& policy) {
  constexpr int number = 1000;
  const auto block = make_process_block(config.environment, config.seed, number, 1, 1);
  const neural::GoalExplorer explorer(policy, 0.0);
  neural::ExplorerMemory memory;
  Rng rng(config.seed, Use::explorer, number);
  std::vector<float> seen(block->space().ranges.size());
  GamePath path{.label = "A game of the exploration policy", .spots = {}, .score = 0.0};
  OutsideStep moved;
  constexpr int longest = 5000;
  while (!moved.terminated && !moved.truncated && path.spots.size() < longest) {
    block->observe(0, seen);
    path.spots.push_back({static_cast<int>(seen[static_cast<std::size_t>(policy.map.x)]),
                          static_cast<int>(seen[static_cast<std::size_t>(policy.map.y)])});
    const Action action = explorer.act(seen, memory, rng);
    block->step(std::span(&action, 1), std::span(&moved, 1));
    path.score += moved.score;
  }
  return path;
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
  write_file(file("report.html"), game_html({.runs = runs,
                                             .grid = grid,
                                             .claims = claims,
                                             .explorer = show.explorer,
                                             .map = show.map,
                                             .paths = show.paths,
                                             .film = show.film,
                                             .figure_svg = read_file("ms_pacman.svg", file("ms_pacman.svg")),
                                             .seeds_svg = read_file("seeds.svg", file("seeds.svg")),
                                             .command = command}));
  return claims;
}

GamePath read_sample_path(const fs::path& directory, const neural::GoalMap& map, std::string label) {
  GamePath path{.label = std::move(label), .spots = {}, .score = 0.0};
  const std::string text = read_file("sample_episode.csv", (directory / "sample_episode.csv").string());
  constexpr std::size_t before = 3;  // step, action, reward
  for (const auto& row : csv_rows(text)) {
    // Bytes are shown to networks over 255.
    const auto byte = [&](int which) {
      const std::size_t at = before + static_cast<std::size_t>(which);
      if (at >= row.size()) throw Error(fmt::format("{}/sample_episode.csv is damaged", directory.string()));
      return static_cast<int>(std::lround(255.0 * csv_number(row[at])));
    };
    path.spots.push_back({byte(map.x), byte(map.y)});
    path.score += csv_number(row[2]);
  }
  return path;
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
                .paths = {},
                .film = ""};
  show.paths.push_back(play_explorer(trained, show.map));
  for (const std::size_t first : {std::size_t{0}, static_cast<std::size_t>(grid.seeds)})
    show.paths.push_back(read_sample_path(place(first), show.map.map,
                                          fmt::format("A game of the final policy of {}, seed {}",
                                                      game_variants()[runs[first].variant].label, runs[first].seed)));
  tell_verdicts(options, write_games(runs, grid, show, directory, reproduce_command("ms_pacman", options)), directory);
  return 0;
}

}  // namespace politex::lab
