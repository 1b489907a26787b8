#include "politex/studies/exploration/figure.hpp"

namespace politex::inline studies {
namespace {

ExplorationGrid exploration_grid_of(const FigureOptions& options) {
  return exploration_grid(options.quick, options.seeds);
}

std::vector<Cell> exploration_cells_of(const FigureOptions& options) {
  std::vector<Cell> cells;
  for (ExplorationRun& run : exploration_runs(exploration_grid_of(options), options.out))
    cells.push_back(std::move(run.cell));
  return cells;
}

FigureReport exploration_report_of(const Finished& finished) {
  const FigureOptions& options = finished.options;
  const ExplorationGrid grid = exploration_grid_of(options);
  const std::vector<ExplorationRun> runs = exploration_runs(grid, options.out);
  return exploration_report(collect(grid, runs, finished), runs, explorer_walks(runs, options.jobs, options.stop));
}

}  // namespace

Figure exploration_figure() {
  return {.name = "exploration",
          .help = "the default learner on the open suite: regret per step against steps, next to baselines; judged",
          .cells = exploration_cells_of,
          .report = exploration_report_of,
          .prepare = [](const FigureOptions& options) {
            write_problems(exploration_grid_of(options).problems, options.out);
          }};
}

}  // namespace politex::inline studies
