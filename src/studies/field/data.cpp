// From finished runs to scores, ranks and slopes.
#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/base/ranks.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/heuristics/heuristic.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"
#include "politex/studies/field/figure.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline studies {
namespace {

void add_heuristics(FieldData& data, const FieldProblem& problem, const Scale& scale, const Config& config) {
  if (problem.heuristics.empty()) return;
  const FiniteModel model = make_model(config);
  for (const std::string& name : problem.heuristics) {
    const auto actions = named_heuristic(name, model, problem.base.name);
    if (!actions) throw Error(name + " is not a heuristic");
    const exact::Evaluation found = exact::evaluate(model, exact::deterministic_policy(model, *actions));
    data.heuristics[{problem.base.name, name}] = 1.0 - scale.loss(found.gain[static_cast<std::size_t>(model.start)]);
  }
}

}  // namespace

const std::vector<ExplorationResult>& FieldData::at(const FieldProblem& problem, const FieldLearner& learner) const {
  static const std::vector<ExplorationResult> none;
  const auto found = results.find({problem.base.name, learner.name});
  return found == results.end() ? none : found->second;
}

std::vector<double> FieldData::scores(const FieldProblem& problem, const FieldLearner& learner) const {
  std::vector<double> all;
  for (const ExplorationResult& result : at(problem, learner)) all.push_back(result.score);
  return all;
}

FieldData collect_field(const FieldGrid& grid, std::span<const FieldRun> runs, const Finished& finished) {
  FieldData data{
      .grid = grid, .choices = field_choices(runs, finished.summaries), .results = {}, .heuristics = {}, .seconds = {}};
  std::map<std::pair<std::string, std::uint64_t>, Scale> scales;  // one per model
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].setting >= 0) continue;
    const FieldProblem& problem = *runs[i].problem;
    const std::uint64_t seed = runs[i].cell.seed;
    const std::pair key{problem.base.name, problem.base.own_model ? seed : 0};
    if (!scales.contains(key)) {
      const Config config = config_of(runs[i].cell);
      scales[key] = scale_of(problem.base, config);
      add_heuristics(data, problem, scales[key], config);
    }
    const FieldKey which{problem.base.name, runs[i].learner->name};
    data.results[which].push_back(
        measured(scales[key], seed, finished.summaries[i], read_curve(finished.directory(i) / curve_file)));
    // Other programs on the machine only add to a time: the least is the nearest.
    const double seconds = summary_number(finished.summaries[i], "seconds") / static_cast<double>(grid.steps);
    const auto [least, first] = data.seconds.try_emplace(which, seconds);
    if (!first) least->second = std::min(least->second, seconds);
  }
  return data;
}

std::vector<Interval> mean_ranks(const FieldData& data) {
  std::vector<TaskScores> tasks;
  for (const FieldProblem* problem : data.grid.problems) {
    TaskScores& task = tasks.emplace_back();
    for (const FieldLearner& learner : field_learners()) task.push_back(data.scores(*problem, learner));
  }
  return rank_intervals(tasks);
}

double share_within(const FieldData& data, const FieldLearner& learner, double distance) {
  double within = 0.0;
  for (const FieldProblem* problem : data.grid.problems) {
    double best = mean(data.scores(*problem, learner));
    const double own = best;
    for (const FieldLearner& other : field_learners()) best = std::max(best, mean(data.scores(*problem, other)));
    within += best - own <= distance ? 1.0 : 0.0;
  }
  return within / static_cast<double>(data.grid.problems.size());
}

double seconds_per_step(const FieldData& data, const FieldLearner& learner) {
  double sum = 0.0;
  for (const FieldProblem* problem : data.grid.problems) sum += data.seconds.at({problem->base.name, learner.name});
  return sum / static_cast<double>(data.grid.problems.size());
}

double regret_slope(const FieldData& data, const FieldLearner& learner) {
  std::vector<double> slopes;
  for (const FieldProblem* problem : data.grid.problems)
    for (const ExplorationResult& result : data.at(*problem, learner))
      slopes.push_back(1.0 + last_decade(result, data.grid.steps));
  return quantile(slopes, 0.5);
}

}  // namespace politex::inline studies
