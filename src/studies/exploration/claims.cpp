#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "politex/base/error.hpp"
#include "politex/studies/exploration/figure.hpp"

namespace politex::inline studies {
namespace {

// Written before the data. A score is 0 for random actions and 1 at the optimum.
constexpr double least_fall = -0.15;    // of log10(loss) in the last factor of ten of steps: a slope of -0.15
constexpr double same_score = 0.02;     // smaller differences of scores are no difference
constexpr double behind_others = 0.10;  // how far the default may be behind a baseline

const SuiteLearner& learner_named(std::string_view name) {
  const auto found = std::ranges::find(suite_learners(), name, &SuiteLearner::name);
  if (found == suite_learners().end()) throw Error(fmt::format("{} is not a learner of the suite", name));
  return *found;
}
const SuiteLearner& the_default() { return suite_learners().front(); }

/// Seed by seed, as far as both have the seed.
std::vector<double> differences_of(const std::vector<double>& ours, const std::vector<double>& theirs) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) all.push_back(ours[i] - theirs[i]);
  return all;
}

/// The default's score less the other's is at least -margin.
Check no_worse(const ExplorationData& data, const SuiteProblem& problem, const SuiteLearner& other, double margin) {
  const std::vector<double> more = differences_of(data.scores(problem, the_default()), data.scores(problem, other));
  return {problem.label + " against " + other.label, "", interval_text(t_interval(more), 3),
          mean_above(more, -margin, 0.0)};
}

Claim regret_falls(const ExplorationData& data) {
  Claim claim = new_claim(
      "(a)", "The regret per step of the default falls on every problem.",
      fmt::format(
          "For more than half of all seeds the regret per step after all steps is at most {:.0f}% of that after "
          "a tenth of them (a slope of {} in log-log; linear regret has 0, sqrt(t) has −0.5).",
          100.0 * std::pow(10.0, least_fall), number_text(least_fall)));
  for (const SuiteProblem* problem : data.grid.problems) {
    std::vector<double> falls;
    for (const ExplorationResult& result : data.at(*problem, the_default()))
      falls.push_back(last_decade(result, data.grid.steps));
    const auto fallen = std::ranges::count_if(falls, [](double fall) { return fall <= least_fall; });
    claim.checks.push_back(
        {problem->label, "",
         fmt::format("{}; median slope {}", count_text(fallen, std::ssize(falls)), number_text(quantile(falls, 0.5))),
         most_succeed(fallen, std::ssize(falls))});
  }
  return claim;
}

Claim knows_as_much(const ExplorationData& data) {
  Claim claim = new_claim(
      "(b)", "The default is at least as good as always-1 where that explorer knows the answer.",
      fmt::format("On plain DeepSea and RiverSwim, where always taking action 1 leads to the reward: the mean over the "
                  "seeds of the default's score less the score of EE-Politex with always-1, as printed and TUNED, is "
                  "above −{}.",
                  same_score));
  for (const SuiteProblem* problem : data.grid.problems)
    for (const char* other : {"paper_always", "tuned_always"})
      if (!data.at(*problem, learner_named(other)).empty())
        claim.checks.push_back(no_worse(data, *problem, learner_named(other), same_score));
  return claim;
}

Claim beats_uniform(const ExplorationData& data) {
  Claim claim = new_claim(
      "(c)", "The default is nowhere worse than with a uniformly random explorer.",
      fmt::format("On every problem: the mean over the seeds of the default's score less that of the same learner with "
                  "a uniform explorer, and less that of EE-Politex as printed with a uniform explorer, is above −{}.",
                  same_score));
  for (const SuiteProblem* problem : data.grid.problems)
    for (const char* other : {"default_uniform", "paper_uniform"})
      if (!data.at(*problem, learner_named(other)).empty())
        claim.checks.push_back(no_worse(data, *problem, learner_named(other), same_score));
  for (const SuiteProblem* problem : data.grid.problems)
    claim.also_measured.push_back(no_worse(data, *problem, learner_named("default_none"), same_score));
  return claim;
}

Claim names_do_not_matter(const ExplorationData& data) {
  Claim claim = new_claim(
      "(d)", "The default does not depend on which action is which.",
      fmt::format("DeepSea with the actions exchanged in some rows (drawn for every seed) against plain DeepSea: the "
                  "mean difference of the default's scores is within ±{}.",
                  same_score));
  for (const SuiteProblem* problem : data.grid.problems) {
    if (problem->plain.empty()) continue;
    const auto plain = std::ranges::find(data.grid.problems, problem->plain, &SuiteProblem::name);
    if (plain == data.grid.problems.end()) continue;
    const std::vector<double> more =
        differences_of(data.scores(*problem, the_default()), data.scores(**plain, the_default()));
    claim.checks.push_back(
        {problem->label, "", interval_text(t_interval(more), 3), mean_within(more, -same_score, same_score)});
  }
  return claim;
}

Claim near_best_baseline(const ExplorationData& data) {
  Claim claim = new_claim(
      "(e)", "The default is within 10% of the best baseline, of the range from random actions to the optimum.",
      fmt::format("On every problem and for every baseline (RLSVI, LSPI, Q-learning, differential Q) that runs there: "
                  "the mean over the seeds of the default's score less the baseline's is above −{}.",
                  behind_others));
  for (const SuiteProblem* problem : data.grid.problems) {
    std::vector<Evidence> all;
    std::string best;
    double best_score = 0.0;
    for (const SuiteLearner& learner : suite_learners()) {
      const std::vector<double> scores = data.scores(*problem, learner);
      if (learner.role != SuiteLearner::Role::baseline || scores.empty()) continue;
      all.push_back(no_worse(data, *problem, learner, behind_others).evidence);
      if (best.empty() || mean(scores) > best_score) {
        best = learner.label;
        best_score = mean(scores);
      }
    }
    claim.checks.push_back(
        {problem->label, "",
         fmt::format("default {}, best baseline {} ({})", number_text(mean(data.scores(*problem, the_default())), 3),
                     number_text(best_score, 3), best),
         all_of(all)});
  }
  return claim;
}

}  // namespace

std::vector<Claim> exploration_claims(const ExplorationData& data) {
  return {regret_falls(data), knows_as_much(data), beats_uniform(data), names_do_not_matter(data),
          near_best_baseline(data)};
}

}  // namespace politex::inline studies
