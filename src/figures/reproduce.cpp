#include "politex/figures/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/base/pool.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/record/run_directory.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline figures {
namespace {

namespace fs = std::filesystem;

bool stopped(const FigureOptions& options) { return options.stop != nullptr && options.stop->load() != 0; }

SweepCell sweep_cell(const Cell& cell) {
  SweepCell made;
  made.name = cell.name;
  made.config = config_of(cell);
  made.cost_per_step = cell.cost_per_step;
  made.run_options.exact = cell.exact;
  made.run_options.regret = cell.regret;
  made.summary_only = cell.summary_only;
  made.curve = cell.curve;
  made.keep_state = cell.keep_state;
  return made;
}

// Runs the cells of one stage and fills in their summaries. False: stopped.
bool run_stage(Finished& figure, int stage, std::string_view name) {
  std::vector<SweepCell> cells;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < figure.cells.size(); ++i) {
    if (figure.cells[i].stage != stage) continue;
    cells.push_back(sweep_cell(figure.cells[i]));
    places.push_back(i);
  }
  LiveLine line(false);
  SweepOptions sweep;
  sweep.directory = figure.options.out;
  sweep.label = name;
  sweep.jobs = figure.options.jobs;
  sweep.stop = figure.options.stop;
  sweep.progress = [&](const ProgressReport& report) { line.show(report); };
  sweep.say = [&](const std::string& text) { line.say("politex: " + text); };
  std::vector<CellResult> results = run_cells(cells, sweep);
  line.close();
  if (stopped(figure.options)) return false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (results[i].state != CellResult::State::done)
      throw Error(fmt::format("the run {} failed: {}", cells[i].name, results[i].message));
    figure.summaries[places[i]] = std::move(results[i].summary);
  }
  return true;
}

void print_verdicts(const FigureOptions& options, std::span<const Claim> claims) {
  std::ostream& out = options.messages != nullptr ? *options.messages : std::cout;
  for (const Claim& claim : claims)
    out << claim.name << ' ' << claim.statement << "\n    " << judge(claim).text() << '\n';
  if (options.quick) out << "a quick version, smaller than the figure; its report says what was left out\n";
  out << "report: " << (fs::absolute(options.out) / "report.html").lexically_normal().string() << '\n' << std::flush;
}

}  // namespace

Config config_of(const Cell& cell) {
  std::vector<std::string> overrides = cell.overrides;
  overrides.push_back(fmt::format("seed={}", cell.seed));
  return read_experiment(cell.experiment, overrides);
}

std::string run_command(const Cell& cell) {
  std::string text = fmt::format("politex run experiments/{} seed={}", cell.experiment, cell.seed);
  for (const std::string& setting : cell.overrides) text += " " + shell_word(setting);
  return text;
}

std::string reproduce_text(std::string_view figure, const FigureOptions& options) {
  if (!options.command.empty()) return options.command;
  return fmt::format("politex reproduce {}{}{}{}{}", figure, options.quick ? " --quick" : "",
                     options.long_run ? " --long" : "", options.compare ? " --compare" : "",
                     options.difficulty ? " --difficulty" : "");
}

std::optional<Finished> run_figure(const Figure& figure, const FigureOptions& options) {
  Finished finished{.options = options, .cells = figure.cells(options), .summaries = {}};
  finished.summaries.resize(finished.cells.size());
  const int last = finished.cells.empty() ? -1 : std::ranges::max(finished.cells, {}, &Cell::stage).stage;
  for (int stage = 0; stage <= last; ++stage) {
    if (stage > 0 && figure.choose != nullptr) figure.choose(finished, stage);
    if (!run_stage(finished, stage, figure.name)) return std::nullopt;
  }
  return finished;
}

bool reproduce(const Figure& figure, FigureOptions options) {
  options.jobs = resolve_jobs(options.jobs);
  if (options.difficulty && (!figure.difficulties || options.compare))
    throw ConfigError("--difficulty", figure.difficulties
                                          ? std::string("not accepted together with --compare")
                                          : fmt::format("{} has no difficulty; accepted: cartpole", figure.name));
  if (figure.require != nullptr) figure.require(options);
  if (options.out.empty())
    options.out =
        fs::path("results") / fmt::format("{}{}{}", figure.name, options.compare && figure.compares ? "_compare" : "",
                                          options.difficulty ? "_difficulty" : "");
  const RunDirectory held = RunDirectory::sweep(options.out);
  if (figure.prepare != nullptr) figure.prepare(options);
  const std::optional<Finished> finished = run_figure(figure, options);
  if (!finished) return false;
  const FigureReport report = figure.report(*finished);
  write_report(report, options.out, reproduce_text(figure.name, options));
  print_verdicts(options, report.claims);
  return true;
}

}  // namespace politex::inline figures
