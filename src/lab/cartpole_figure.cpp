#include "politex/lab/cartpole_figure.hpp"

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/cartpole_claims.hpp"
#include "politex/lab/cartpole_report.hpp"
#include "politex/lab/neural_run.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/reproduce.hpp"
#include "politex/lab/run_directory.hpp"

namespace politex::lab {

namespace {

namespace fs = std::filesystem;

void train_explorer(const fs::path& file, const ReproduceOptions& options) {
  if (fs::exists(file)) return;
  NeuralRun run(cartpole_explorer_config());
  while (!run.done() && !stopped(options)) run.advance();
  if (run.done()) write_file(file.string(), run.policy_file());
}

}  // namespace

std::vector<Claim> write_cartpole(std::span<const CartpoleRun> runs, const CartpoleGrid& grid,
                                  const fs::path& directory, const std::string& command) {
  write_file((directory / "runs.csv").string(), cartpole_csv(runs, grid));
  write_file((directory / "curves.csv").string(), cartpole_curves_csv(runs, grid));
  std::vector<Claim> claims = grid.compare ? std::vector<Claim>{} : cartpole_claims(runs, grid);
  draw(cartpole_plot(runs, grid), directory, "cartpole");
  const std::string figure = read_file("cartpole.svg", (directory / "cartpole.svg").string());
  write_file((directory / "report.html").string(),
             cartpole_html({.runs = runs, .grid = grid, .claims = claims, .figure_svg = figure, .command = command}));
  return claims;
}

int reproduce_cartpole(const ReproduceOptions& options) {
  const int jobs = resolve_jobs(options.jobs);
  require_gnuplot();
  const fs::path directory = make_figure_directory(options, options.compare ? "cartpole_compare" : "cartpole");
  const RunDirectory held = RunDirectory::sweep(directory);
  CartpoleGrid grid = cartpole_grid(options.quick, options.compare);
  if (options.seeds > 0) grid.seeds = options.seeds;
  const fs::path explorer = fs::absolute(directory / "explorer.policy");
  if (grid.compare) train_explorer(explorer, options);
  if (stopped(options)) return 0;
  std::vector<SweepCell> cells = cartpole_cells(grid, explorer);
  // Runs side by side keep the cores busy; one alone lets the other cores act.
  for (SweepCell& cell : cells) cell.config.actors.threads = jobs > 1 ? 0 : -1;
  if (!run_figure(cells, directory, jobs, options)) return 0;
  std::vector<CartpoleRun> runs;
  for (std::size_t i = 0; i < cells.size(); ++i)
    runs.push_back(read_cartpole_run(directory / "runs" / cells[i].name, i / static_cast<std::size_t>(grid.seeds),
                                     cells[i].config.seed));
  tell_verdicts(options, write_cartpole(runs, grid, directory, reproduce_command("cartpole", options)), directory);
  return 0;
}

}  // namespace politex::lab
