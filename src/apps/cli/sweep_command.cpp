// politex sweep: plan, run what is missing, tell what failed.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "commands.hpp"
#include "politex/base/error.hpp"
#include "politex/lab/output_file.hpp"
#include "politex/lab/run_directory.hpp"
#include "politex/lab/sweep.hpp"
#include "politex/lab/tune.hpp"
#include "signals.hpp"

namespace politex::cli {
namespace {

namespace fs = std::filesystem;
using State = lab::CellResult::State;

void tell(const std::string& text) { fmt::print(stderr, "politex: {}\n", text); }

std::vector<std::uint64_t> seeds_from(std::uint64_t first, int count) {
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

void tell_end(const lab::SweepPlan& plan, std::span<const lab::CellResult> results, const fs::path& directory) {
  const auto count = [&](State state) { return std::ranges::count(results, state, &lab::CellResult::state); };
  if (count(State::failed) > 0) tell(fmt::format("{} of {} runs failed:", count(State::failed), results.size()));
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].state == State::failed) tell(fmt::format("  {}: {}", plan.cells[i].name, results[i].message));
  tell(fmt::format("{} of {} runs done; {}", count(State::done), results.size(), (directory / "results.csv").string()));
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  if (arguments.seeds < 1 || arguments.seeds > 1'000'000)
    throw ConfigError{"--seeds", fmt::format("{} is not accepted; accepted: 1 to 1000000", arguments.seeds)};
  if (arguments.tune < 0)
    throw ConfigError{"--tune", fmt::format("{} is not accepted; accepted: 1 or more settings", arguments.tune)};
  lab::SweepPlan plan = lab::plan_sweep(arguments.file, arguments.grid, seeds_from(1, arguments.seeds));
  lab::Tuning tuning;
  if (arguments.tune > 0) tuning = lab::plan_tuning(plan, arguments.tune);
  const lab::RunDirectory directory = lab::RunDirectory::sweep(arguments.out);

  // Written before anything runs: a sweep that is killed is known for what it is.
  lab::write_atomically(directory.file("sweep.json"), lab::sweep_json(arguments.file, plan, {}));

  lab::LiveLine line(arguments.quiet);
  const StopSignals signals;
  lab::SweepOptions options;
  options.directory = arguments.out;
  options.jobs = arguments.jobs;
  options.checkpoint_seconds = arguments.checkpoint_seconds;
  options.stop = &signals.caught();
  options.progress = [&](const lab::ProgressReport& report) { line.show(report); };
  std::vector<std::string> stages;
  std::vector<lab::CellResult> results = lab::run_cells(plan.cells, options);
  if (arguments.tune > 0 && signals.caught() == 0)
    lab::run_fresh(plan, tuning, seeds_from(1001, arguments.seeds), options, results, stages);
  line.close();

  const std::string json = lab::sweep_json(arguments.file, plan, results);
  lab::write_atomically(directory.file("sweep.json"), json);
  lab::write_atomically(directory.file("results.csv"), lab::results_csv(plan, results, stages));
  if (arguments.tune > 0 && !stages.empty()) lab::write_tuning(directory.path(), tuning);
  tell_end(plan, results, directory.path());
  if (signals.caught() != 0) {
    tell("stopped; to go on, say the same command again");
    return 128 + signals.caught();
  }
  const bool failed = std::ranges::any_of(results, [](const auto& result) { return result.state == State::failed; });
  if (failed) return 1;
  if (arguments.json) print_out(json);
  return 0;
}

}  // namespace politex::cli
