#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/studies/field/figure.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline studies {

FieldGrid field_grid(bool quick, int seeds) {
  FieldGrid grid{.quick = quick, .steps = quick ? 20'000 : 50'000, .problems = {}};
  grid.settings = quick ? 2 : settings_per_learner;
  grid.tuning_seeds = quick ? 1 : 2;
  grid.seeds = seeds > 0 ? seeds : quick ? 3 : 8;
  for (const FieldProblem& problem : field_problems())
    if (!quick || problem.base.quick) grid.problems.push_back(&problem);
  return grid;
}

std::vector<FieldRun> field_runs(const FieldGrid& grid, const std::filesystem::path& directory) {
  std::vector<FieldRun> runs;
  const auto add = [&](const FieldProblem& problem, const FieldLearner& learner, int setting, std::uint64_t seed) {
    const bool tuning = setting >= 0;
    const std::string part = tuning ? fmt::format("setting={},", setting) : std::string();
    Cell cell{.name = fmt::format("problem={},learner={},{}steps={},seed={}", problem.base.name, learner.name, part,
                                  grid.steps, seed),
              .experiment = fmt::format("field/{}.toml", learner.name),
              .overrides = overrides_of(problem.base, seed, directory),
              .seed = seed,
              .stage = tuning ? 0 : 1,
              .cost_per_step = learner.time * problem.base.weight,
              .exact = false,
              .summary_only = true,
              .curve = true};
    cell.overrides.push_back(fmt::format("steps={}", grid.steps));
    if (tuning)
      for (const std::string& each : learner.settings[static_cast<std::size_t>(setting)])
        cell.overrides.push_back(each);
    runs.push_back({&problem, &learner, setting, std::move(cell)});
  };
  for (const FieldProblem* problem : grid.problems)
    for (const FieldLearner& learner : field_learners()) {
      for (int setting = 0; setting < static_cast<int>(grid.settings); ++setting)
        for (int i = 0; i < grid.tuning_seeds; ++i) add(*problem, learner, setting, 1 + static_cast<std::uint64_t>(i));
      for (int i = 0; i < grid.seeds; ++i) add(*problem, learner, -1, first_field_seed + static_cast<std::uint64_t>(i));
    }
  return runs;
}

std::map<FieldKey, FieldChoice> field_choices(std::span<const FieldRun> runs, std::span<const std::string> summaries) {
  std::map<FieldKey, std::vector<std::vector<double>>> costs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].setting < 0) continue;
    auto& tried = costs[{runs[i].problem->base.name, runs[i].learner->name}];
    const auto setting = static_cast<std::size_t>(runs[i].setting);
    if (tried.size() <= setting) tried.resize(setting + 1);
    tried[setting].push_back(summary_number(summaries[i], "average_cost"));
  }
  std::map<FieldKey, FieldChoice> choices;
  for (const auto& [key, tried] : costs) {
    FieldChoice& choice = choices[key];
    for (const std::vector<double>& each : tried) choice.cost.push_back(mean(each));
    choice.chosen = static_cast<std::size_t>(std::ranges::min_element(choice.cost) - choice.cost.begin());
  }
  return choices;
}

const std::vector<std::string>& setting_of(const FieldRun& run, const std::map<FieldKey, FieldChoice>& choices) {
  if (run.setting >= 0) return run.learner->settings[static_cast<std::size_t>(run.setting)];
  return run.learner->settings[choices.at({run.problem->base.name, run.learner->name}).chosen];
}

}  // namespace politex::inline studies
