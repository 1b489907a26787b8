#include "politex/studies/two_seeds/figure.hpp"

#include <fmt/format.h>

#include "politex/sweep/sweep.hpp"

namespace politex::inline studies {
namespace {

std::vector<Cell> two_seeds_cells(const FigureOptions& options) {
  std::vector<Cell> cells;
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    cells.push_back({.name = fmt::format("seed={}", seed),
                     .experiment = "deep_sea/figure.toml",
                     .overrides = {"environment.size=5", options.quick ? "steps=2000" : "steps=20000"},
                     .seed = seed});
  return cells;
}

FigureReport two_seeds_report(const Finished& finished) {
  FigureReport report{.title = "Two seeds of EE-Politex on DeepSea",
                      .introduction = "The same settings with two seeds. Lower is better."};
  HtmlTable table = new_table("Average cost over the whole run.", {"seed", "average cost"});
  std::string csv = "seed,average_cost\n";
  for (std::size_t i = 0; i < finished.cells.size(); ++i) {
    const double cost = summary_number(finished.summaries[i], "average_cost");
    table.rows.push_back({fmt::format("{}", finished.cells[i].seed), number_text(cost)});
    csv += fmt::format("{},{}\n", finished.cells[i].seed, csv_text(cost));
  }
  report.results.table(table);
  report.example = run_command(finished.cells.front());
  report.files = {{"runs.csv", csv}};
  return report;
}

}  // namespace

Figure two_seeds_figure() {
  return {.name = "two_seeds",
          .help = "how much the average cost differs between two seeds",
          .cells = two_seeds_cells,
          .report = two_seeds_report};
}

}  // namespace politex::inline studies
