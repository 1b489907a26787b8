// From finished runs to scores and curves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"
#include "politex/studies/exploration/figure.hpp"
#include "politex/sweep/sweep.hpp"

namespace politex::inline studies {

Scale scale_of(const SuiteProblem& problem, const Config& config) {
  if (!problem.listed()) return {.random = problem.random, .optimum = problem.optimum};
  const FiniteModel model = make_model(config);
  const auto start = static_cast<std::size_t>(model.start);
  return {.random = exact::evaluate(model, exact::uniform_policy(model)).gain[start],
          .optimum = exact::optimal_gain(model)};
}

ExplorationResult measured(const Scale& scale, std::uint64_t seed, const std::string& summary,
                           std::vector<CurvePoint> curve) {
  constexpr std::array<std::string_view, 5> names{"average_cost", "average_cost_last_tenth", "steps",
                                                  "segments.explorer.steps", "segments.probe.steps"};
  const std::vector<double> numbers = summary_numbers(summary, names);
  for (CurvePoint& point : curve) point.average_cost = scale.loss(point.average_cost);
  return {.seed = seed,
          .score = 1.0 - scale.loss(numbers[0]),
          .last_tenth = 1.0 - scale.loss(numbers[1]),
          .explorer_share = (numbers[3] + numbers[4]) / numbers[2],
          .loss = std::move(curve)};
}

const std::vector<ExplorationResult>& ExplorationData::at(const SuiteProblem& problem,
                                                          const SuiteLearner& learner) const {
  static const std::vector<ExplorationResult> none;
  const auto found = results.find({problem.name, learner.name});
  return found == results.end() ? none : found->second;
}

std::vector<double> ExplorationData::scores(const SuiteProblem& problem, const SuiteLearner& learner) const {
  std::vector<double> all;
  for (const ExplorationResult& result : at(problem, learner)) all.push_back(result.score);
  return all;
}

ExplorationData collect(const ExplorationGrid& grid, std::span<const ExplorationRun> runs, const Finished& finished) {
  ExplorationData data{.grid = grid, .results = {}};
  std::map<std::pair<std::string, std::uint64_t>, Scale> scales;  // one per model
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const SuiteProblem& problem = *runs[i].problem;
    const std::uint64_t seed = runs[i].cell.seed;
    const std::pair key{problem.name, problem.own_model ? seed : 0};
    if (!scales.contains(key)) scales[key] = scale_of(problem, config_of(runs[i].cell));
    data.results[{problem.name, runs[i].learner->name}].push_back(
        measured(scales[key], seed, finished.summaries[i], read_curve(finished.directory(i) / curve_file)));
  }
  return data;
}

double loss_at(const ExplorationResult& result, double steps) {
  const auto& points = result.loss;
  const auto above =
      std::ranges::find_if(points, [&](const CurvePoint& p) { return static_cast<double>(p.steps) >= steps; });
  if (above == points.end()) return points.back().average_cost;
  if (above == points.begin()) return above->average_cost;
  // Sums of losses grow evenly between two points.
  const CurvePoint &from = *(above - 1), &to = *above;
  const auto from_steps = static_cast<double>(from.steps), to_steps = static_cast<double>(to.steps);
  const double from_sum = from_steps * from.average_cost, to_sum = to_steps * to.average_cost;
  return (from_sum + (to_sum - from_sum) * (steps - from_steps) / (to_steps - from_steps)) / steps;
}

double last_decade(const ExplorationResult& result, std::int64_t steps) {
  constexpr double least = 1e-4;  // smaller losses are chance, and may be negative
  const auto all = static_cast<double>(steps);
  return std::log10(std::max(least, loss_at(result, all)) / std::max(least, loss_at(result, all / 10.0)));
}

std::string exploration_csv(const ExplorationData& data) {
  std::string text = "problem,learner,seed,steps,score,score_last_tenth,failed,explorer_share,last_decade\n";
  for (const SuiteProblem* problem : data.grid.problems)
    for (const SuiteLearner& learner : suite_learners())
      for (const ExplorationResult& result : data.at(*problem, learner))
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", problem->name, learner.name, result.seed, data.grid.steps,
                            csv_text(result.score), csv_text(result.last_tenth), failed(result) ? 1 : 0,
                            csv_text(result.explorer_share), csv_text(last_decade(result, data.grid.steps)));
  return text;
}

std::string exploration_curves_csv(const ExplorationData& data) {
  std::string text = "problem,learner,seed,steps,loss\n";
  for (const SuiteProblem* problem : data.grid.problems)
    for (const SuiteLearner& learner : suite_learners())
      for (const ExplorationResult& result : data.at(*problem, learner))
        for (const CurvePoint& point : result.loss)
          text += fmt::format("{},{},{},{},{}\n", problem->name, learner.name, result.seed, point.steps,
                              csv_text(point.average_cost));
  return text;
}

}  // namespace politex::inline studies
