#include "politex/lab/deep_sea_figure.hpp"

#include <fmt/format.h>

#include "politex/base/bytes.hpp"
#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/lab/deep_sea_claims.hpp"
#include "politex/lab/deep_sea_report.hpp"
#include "politex/lab/plot.hpp"
#include "politex/lab/pool.hpp"

namespace politex::lab {

namespace {

namespace fs = std::filesystem;

Summary run_to_the_end(const Config& config, const std::atomic<int>* stop) {
  const auto run = make_run(config, {.regret = false});
  while (!run->done()) {
    if (stop != nullptr && stop->load() != 0) throw Error("stopped before its end");
    run->advance();
  }
  return run->summary();
}

std::string signature_of(std::span<const DeepSeaRun> runs) {
  Signature all;
  for (const DeepSeaRun& run : runs) all.add(std::span<const char>(run.summary.signature));
  return all.text();
}

}  // namespace

void write_deep_sea(std::span<const DeepSeaRun> runs, const DeepSeaGrid& grid, const fs::path& directory,
                    const std::string& command) {
  write_file(directory / "runs.csv", deep_sea_csv(runs));
  const DeepSeaData data = collect(grid, runs);
  const std::vector<Claim> claims = deep_sea_claims(data);
  draw(deep_sea_plot(data), directory, "deep_sea");
  draw(one_visit_plot(data), directory, "one_visit");
  const std::string figure = read_file("deep_sea.svg", directory / "deep_sea.svg");
  const std::string one_visit = read_file("one_visit.svg", directory / "one_visit.svg");
  write_file(directory / "report.html", deep_sea_html({.data = data,
                                                       .claims = claims,
                                                       .figure_svg = figure,
                                                       .one_visit_svg = one_visit,
                                                       .command = command,
                                                       .signature = signature_of(runs)}));
}

int reproduce_deep_sea(const ReproduceOptions& options) {
  const int jobs = resolve_jobs(options.jobs);
  require_gnuplot();
  const fs::path directory = make_figure_directory(options, "deep_sea");
  DeepSeaGrid grid = deep_sea_grid(options.quick);
  if (options.seeds > 0) grid.seeds = options.seeds;
  const std::vector<DeepSeaRun> runs =
      run_deep_sea(grid, jobs, [&](const Config& config) { return run_to_the_end(config, options.stop); });
  write_deep_sea(runs, grid, directory, reproduce_command("deep_sea", options));

  tell_verdicts(options, deep_sea_claims(collect(grid, runs)), directory);
  return 0;
}

}  // namespace politex::lab
