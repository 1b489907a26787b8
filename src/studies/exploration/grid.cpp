#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/files.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/studies/exploration/figure.hpp"

namespace politex::inline studies {
namespace {

namespace fs = std::filesystem;

fs::path problem_file(const SuiteProblem& problem, const fs::path& directory) {
  return fs::absolute(directory / "problems" / fs::path(problem.input).filename());
}

Cell exploration_cell(const ExplorationGrid& grid, const SuiteProblem& problem, const SuiteLearner& learner,
                      std::uint64_t seed, const fs::path& directory) {
  Cell cell{.name = fmt::format("problem={},learner={},steps={},seed={}", problem.name, learner.name, grid.steps, seed),
            .experiment = fmt::format("exploration/{}.toml", learner.name),
            .overrides = overrides_of(problem, seed, directory),
            .seed = seed,
            .cost_per_step = learner.time * problem.weight,
            .exact = false,
            .summary_only = true,
            .curve = true};
  cell.overrides.push_back(fmt::format("steps={}", grid.steps));
  return cell;
}

}  // namespace

std::vector<std::string> overrides_of(const SuiteProblem& problem, std::uint64_t seed, const fs::path& directory) {
  std::vector<std::string> overrides = problem.overrides;
  if (!problem.input.empty())
    overrides.push_back(fmt::format("environment.file={}", problem_file(problem, directory).string()));
  if (problem.own_model) overrides.push_back(fmt::format("environment.model_seed={}", seed));
  return overrides;
}

int ExplorationGrid::seeds_of(const SuiteProblem& problem, const SuiteLearner& learner) const {
  if (learner.only_action_one && !problem.action_one_leads) return 0;
  if (learner.role == SuiteLearner::Role::paper && problem.short_phases) return 0;
  int most = problem.seeds;
  if (learner.role != SuiteLearner::Role::subject) {
    most = std::min(learner.seeds, problem.seeds / 2);
    if (!problem.listed()) most = std::min(most, learner.seeds_unlisted);
  }
  return seeds > 0 ? std::min(most, seeds) : most;
}

ExplorationGrid exploration_grid(bool quick, int seeds) {
  ExplorationGrid grid{.quick = quick, .steps = quick ? 30'000 : 300'000, .problems = {}, .seeds = seeds};
  if (quick && seeds == 0) grid.seeds = 3;
  for (const SuiteProblem& problem : suite_problems())
    if (!quick || problem.quick) grid.problems.push_back(&problem);
  return grid;
}

std::vector<ExplorationRun> exploration_runs(const ExplorationGrid& grid, const fs::path& directory) {
  std::vector<ExplorationRun> runs;
  for (const SuiteProblem* problem : grid.problems)
    for (const SuiteLearner& learner : suite_learners())
      for (int i = 0; i < grid.seeds_of(*problem, learner); ++i)
        runs.push_back(
            {problem, &learner,
             exploration_cell(grid, *problem, learner, first_suite_seed + static_cast<std::uint64_t>(i), directory)});
  return runs;
}

void write_problems(std::span<const SuiteProblem* const> problems, const fs::path& directory) {
  fs::create_directories(directory / "problems");
  for (const SuiteProblem* problem : problems) {
    if (problem->input.empty()) continue;
    const auto found = std::ranges::find(experiment_inputs(), std::string_view(problem->input), &Experiment::name);
    if (found == experiment_inputs().end()) throw Error(fmt::format("{} is not built in", problem->input));
    write_file(problem_file(*problem, directory).string(), found->text);
  }
}

}  // namespace politex::inline studies
