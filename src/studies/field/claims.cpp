#include <fmt/format.h>

#include <algorithm>

#include "politex/base/error.hpp"
#include "politex/studies/field/figure.hpp"

namespace politex::inline studies {
namespace {

// Written before the data. A score is 0 for random actions and 1 at the optimum.
constexpr double equal_score = 0.02;  // smaller differences of scores are no difference
constexpr double behind_best = 0.10;  // how far auto may be behind the best learner

const FieldLearner& field_learner(std::string_view name) {
  const auto found = std::ranges::find(field_learners(), name, &FieldLearner::name);
  if (found == field_learners().end()) throw Error(fmt::format("{} is not a learner of the field", name));
  return *found;
}

/// The first learner's score less the other's, seed by seed.
std::vector<double> score_differences(const FieldData& data, const FieldProblem& problem, const FieldLearner& ours,
                                      const FieldLearner& other) {
  std::vector<double> all = data.scores(problem, ours);
  const std::vector<double> theirs = data.scores(problem, other);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] -= theirs[i];
  return all;
}

const FieldLearner& best_on(const FieldData& data, const FieldProblem& problem) {
  return *std::ranges::max_element(field_learners(), {},
                                   [&](const FieldLearner& learner) { return mean(data.scores(problem, learner)); });
}

Claim auto_near_best(const FieldData& data) {
  Claim claim = new_claim("(a)", "auto, tuned as all others, is within 10% of every other learner on every problem.",
                          fmt::format("On every problem, for every other learner: the mean over the fresh seeds of the "
                                      "score of auto less the other's is above −{}.",
                                      behind_best));
  const FieldLearner& ours = field_learners().front();
  for (const FieldProblem* problem : data.grid.problems) {
    std::vector<Evidence> all;
    for (const FieldLearner& other : field_learners().subspan(1))
      all.push_back(mean_above(score_differences(data, *problem, ours, other), -behind_best, 0.0));
    const FieldLearner& best = best_on(data, *problem);
    claim.checks.push_back({problem->base.label, "",
                            fmt::format("auto {}, best {} ({})", number_text(mean(data.scores(*problem, ours)), 3),
                                        number_text(mean(data.scores(*problem, best)), 3), best.label),
                            all_of(all)});
  }
  return claim;
}

/// One learner is nowhere worse than another.
Claim nowhere_worse(const FieldData& data, std::string name, std::string statement, std::string_view better,
                    std::string_view other) {
  Claim claim = new_claim(std::move(name), std::move(statement),
                          fmt::format("On every problem: the mean over the fresh seeds of the score of {} less that of "
                                      "{} is above −{}.",
                                      field_learner(better).label, field_learner(other).label, equal_score));
  for (const FieldProblem* problem : data.grid.problems) {
    const auto more = score_differences(data, *problem, field_learner(better), field_learner(other));
    claim.checks.push_back(
        {problem->base.label, "", interval_text(t_interval(more), 3), mean_above(more, -equal_score, 0.0)});
  }
  return claim;
}

Claim beats_heuristics(const FieldData& data) {
  Claim claim = new_claim("(d)", "At its end auto is at least as good as every heuristic.",
                          fmt::format("On every problem with heuristics: the mean over the fresh seeds of the score of "
                                      "auto in the last tenth of the run, less the exact score of the best heuristic, "
                                      "is above −{}.",
                                      equal_score));
  for (const FieldProblem* problem : data.grid.problems) {
    if (problem->heuristics.empty()) continue;
    std::string best;
    double score = 0.0;
    for (const std::string& name : problem->heuristics) {
      const double own = data.heuristics.at({problem->base.name, name});
      if (!best.empty() && own <= score) continue;
      best = name;
      score = own;
    }
    std::vector<double> more;
    for (const ExplorationResult& result : data.at(*problem, field_learners().front()))
      more.push_back(result.last_tenth - score);
    claim.checks.push_back(
        {problem->base.label, best, interval_text(t_interval(more), 3), mean_above(more, -equal_score, 0.0)});
  }
  return claim;
}

}  // namespace

std::vector<Claim> field_claims(const FieldData& data) {
  return {auto_near_best(data),
          nowhere_worse(data, "(b)",
                        "On small listed state spaces a model and planning (PSRL) are nowhere worse than auto.", "psrl",
                        "auto"),
          nowhere_worse(data, "(c)", "Exploration (EE-Politex) is nowhere worse than none (Politex).", "ee_politex",
                        "politex"),
          beats_heuristics(data)};
}

}  // namespace politex::inline studies
