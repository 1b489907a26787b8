// `politex reproduce theory`: from the grid to the figure's directory.
#include "politex/base/files.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/pool.hpp"
#include "politex/lab/reproduce.hpp"
#include "politex/lab/theory_claims.hpp"
#include "politex/lab/theory_grid.hpp"
#include "politex/lab/theory_report.hpp"

namespace politex::lab {

int reproduce_theory(const ReproduceOptions& options) {
  const int jobs = resolve_jobs(options.jobs);
  require_gnuplot();
  const std::filesystem::path directory = make_figure_directory(options, "theory");
  TheoryGrid grid = theory_grid(options.quick);
  if (options.seeds > 0) grid.seeds = options.seeds;
  const TheoryTable table = measure_theory(grid, directory, jobs, options.stop);
  write_file(directory / "data.csv", theory_csv(table));
  const std::vector<Claim> claims = theory_claims(table);
  const std::vector<TheoryPicture> pictures = theory_pictures(table);
  std::vector<std::string> drawings;
  for (const TheoryPicture& picture : pictures) {
    draw(picture.plot, directory, picture.name);
    drawings.push_back(read_file(picture.name, directory / (picture.name + ".svg")));
  }
  write_file(directory / "report.html", theory_html({.table = table,
                                                     .grid = grid,
                                                     .claims = claims,
                                                     .pictures = pictures,
                                                     .drawings = drawings,
                                                     .command = reproduce_command("theory", options)}));
  tell_verdicts(options, claims, directory);
  return 0;
}

}  // namespace politex::lab
