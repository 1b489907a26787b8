#include "politex/studies/field/figure.hpp"

namespace politex::inline studies {
namespace {

FieldGrid field_grid_of(const FigureOptions& options) { return field_grid(options.quick, options.seeds); }

std::vector<Cell> field_cells_of(const FigureOptions& options) {
  std::vector<Cell> cells;
  for (FieldRun& run : field_runs(field_grid_of(options), options.out)) cells.push_back(std::move(run.cell));
  return cells;
}

// The fresh runs get the settings that were best on the tuning seeds.
void choose_settings(Finished& finished, int stage) {
  const std::vector<FieldRun> runs = field_runs(field_grid_of(finished.options), finished.options.out);
  const auto choices = field_choices(runs, finished.summaries);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (finished.cells[i].stage != stage) continue;
    for (const std::string& each : setting_of(runs[i], choices)) finished.cells[i].overrides.push_back(each);
  }
}

FigureReport field_report_of(const Finished& finished) {
  const FieldGrid grid = field_grid_of(finished.options);
  std::vector<FieldRun> runs = field_runs(grid, finished.options.out);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].cell = finished.cells[i];
  return field_report(collect_field(grid, runs, finished), runs);
}

void write_field_problems(const FigureOptions& options) {
  std::vector<const SuiteProblem*> problems;
  for (const FieldProblem* problem : field_grid_of(options).problems) problems.push_back(&problem->base);
  write_problems(problems, options.out);
}

}  // namespace

Figure field_figure() {
  return {.name = "field",
          .help = "every learner on every problem of the field, with equal tuning: regret, ranks, profile; judged",
          .cells = field_cells_of,
          .report = field_report_of,
          .prepare = write_field_problems,
          .choose = choose_settings};
}

}  // namespace politex::inline studies
