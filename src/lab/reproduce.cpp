#include "politex/lab/reproduce.hpp"

#include <array>
#include <iostream>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/lab/run_directory.hpp"

namespace politex::lab {

namespace {

constexpr std::array catalogue{
    Figure{.name = "deep_sea",
           .help = "average cost against the grid side N for every linear learner, and the paper's claims judged",
           .reproduce = reproduce_deep_sea},
    Figure{.name = "theory",
           .help = "the theorem and the lemmas measured: errors, biases, regret terms and their bounds, judged",
           .reproduce = reproduce_theory},
    Figure{.name = "cartpole",
           .help = "sparse cartpole swing-up: neural Politex with and without exploration, every seed, a film of it",
           .reproduce = reproduce_cartpole},
    Figure{
        .name = "ms_pacman",
        .help = "Atari's Ms. Pac-Man: neural Politex with and without exploration, paired seeds (--long: 1.2M steps)",
        .reproduce = reproduce_ms_pacman},
};

}  // namespace

std::string reproduce_command(std::string_view figure, const ReproduceOptions& options) {
  if (!options.command.empty()) return options.command;
  return fmt::format("politex reproduce {}{}{}{}", figure, options.quick ? " --quick" : "",
                     options.long_run ? " --long" : "", options.compare ? " --compare" : "");
}

std::filesystem::path make_figure_directory(const ReproduceOptions& options, std::string_view figure) {
  namespace fs = std::filesystem;
  fs::path directory = options.out.empty() ? fs::path("results") / figure : options.out;
  make_out_directory(directory);
  return directory;
}

bool stopped(const ReproduceOptions& options) { return options.stop != nullptr && options.stop->load() != 0; }

bool run_figure(std::span<const SweepCell> cells, const std::filesystem::path& directory, int jobs,
                const ReproduceOptions& options) {
  LiveLine line(false);
  SweepOptions sweep;
  sweep.directory = directory;
  sweep.jobs = jobs;
  sweep.stop = options.stop;
  sweep.progress = [&](const ProgressReport& report) { line.show(report); };
  sweep.say = [&](const std::string& text) { line.say("politex: " + text); };
  const std::vector<CellResult> results = run_cells(cells, sweep);
  line.close();
  if (stopped(options)) return false;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (results[i].state != CellResult::State::done)
      throw Error(fmt::format("the run {} failed: {}", cells[i].name, results[i].message));
  return true;
}

void tell_verdicts(const ReproduceOptions& options, std::span<const Claim> claims,
                   const std::filesystem::path& directory) {
  std::ostream& out = options.messages != nullptr ? *options.messages : std::cout;
  for (const Claim& claim : claims) {
    out << claim.name << ' ' << claim.statement << "\n    " << judge(claim).text() << '\n';
  }
  if (options.quick) out << "a quick look: smaller than the figure; its report says in what\n";
  const auto report = (std::filesystem::absolute(directory) / "report.html").lexically_normal();
  out << "report: " << report.string() << '\n' << std::flush;
}

std::span<const Figure> figures() { return catalogue; }

const Figure& find_figure(std::string_view name) {
  std::string accepted;
  for (const Figure& figure : catalogue) {
    if (figure.name == name) return figure;
    accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", figure.name);
  }
  throw ConfigError("FIGURE", fmt::format("'{}' is not a figure; accepted: {}, all", name, accepted));
}

}  // namespace politex::lab
