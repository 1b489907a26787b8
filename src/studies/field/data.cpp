// From finished runs to scores, ranks and slopes.
#include <algorithm>
#include <numeric>

#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"
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

/// Rank by score, 1 the highest; equal scores share the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& scores) {
  std::vector<double> ranks;
  for (const double score : scores) {
    const auto above = std::ranges::count_if(scores, [&](double other) { return other > score; });
    const auto equal = std::ranges::count(scores, score);
    ranks.push_back(static_cast<double>(above) + 0.5 * static_cast<double>(equal + 1));
  }
  return ranks;
}

/// Mean rank of every learner over the problems; `mean_score(problem, learner)`.
template <class MeanScore>
std::vector<double> ranks_over_problems(const FieldData& data, const MeanScore& mean_score) {
  std::vector<double> sums(field_learners().size(), 0.0);
  for (const FieldProblem* problem : data.grid.problems) {
    std::vector<double> scores;
    for (const FieldLearner& learner : field_learners()) scores.push_back(mean_score(*problem, learner));
    const std::vector<double> ranks = ranks_of(scores);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += ranks[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(data.grid.problems.size());
  return sums;
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
  constexpr int resamples = 1000;
  const std::vector<double> found = ranks_over_problems(
      data,
      [&](const FieldProblem& problem, const FieldLearner& learner) { return mean(data.scores(problem, learner)); });
  Rng rng(1, Use::bootstrap);
  std::vector<std::vector<double>> drawn(found.size());
  for (int k = 0; k < resamples; ++k) {
    const auto resampled = ranks_over_problems(data, [&](const FieldProblem& problem, const FieldLearner& learner) {
      const auto& results = data.at(problem, learner);
      double sum = 0.0;
      for (std::size_t i = 0; i < results.size(); ++i) sum += results[rng.below(results.size())].score;
      return sum / static_cast<double>(results.size());
    });
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].push_back(resampled[i]);
  }
  std::vector<Interval> ranks;
  for (std::size_t i = 0; i < found.size(); ++i)
    ranks.push_back({.mean = found[i], .low = quantile(drawn[i], 0.025), .high = quantile(drawn[i], 0.975)});
  return ranks;
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
