#include "politex/figures/theory/figure.hpp"

namespace politex::inline figures {
namespace {

TheoryGrid theory_grid_of(const FigureOptions& options) { return theory_grid(options.quick, options.seeds); }

std::vector<Cell> theory_cells_of(const FigureOptions& options) {
  std::vector<Cell> cells;
  for (TheoryRun& run : theory_runs(theory_grid_of(options), options.out)) cells.push_back(std::move(run.cell));
  return cells;
}

FigureReport theory_report_of(const Finished& finished) {
  const FigureOptions& options = finished.options;
  const TheoryGrid grid = theory_grid_of(options);
  const std::vector<TheoryRun> runs = theory_runs(grid, options.out);
  return theory_report(measure_theory(grid, runs, finished.summaries, options.jobs, options.stop), grid);
}

}  // namespace

Figure theory_figure() {
  return {.name = "theory",
          .help = "the theorem and the lemmas measured: errors, biases, regret terms and their bounds, judged",
          .cells = theory_cells_of,
          .report = theory_report_of,
          .prepare = [](const FigureOptions& options) { write_explorers(theory_grid_of(options), options.out); }};
}

}  // namespace politex::inline figures
