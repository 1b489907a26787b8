// The figure of the field: every learner on every problem, with the same number of settings tried for each on tuning
// seeds, and the chosen setting run on fresh seeds.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/figures/figure.hpp"
#include "politex/studies/exploration/figure.hpp"
#include "politex/studies/field/suite.hpp"

namespace politex::inline studies {

/// How much is run.
struct FieldGrid {
  bool quick = false;
  std::int64_t steps = 0;
  std::vector<const FieldProblem*> problems;
  std::size_t settings = settings_per_learner;  // tried per learner and problem, the first of its list
  int tuning_seeds = 0, seeds = 0;
};
FieldGrid field_grid(bool quick, int seeds = 0);

/// A run of the figure. Stage 0 tries settings; stage 1 has the fresh seeds, whose settings are filled in after it.
struct FieldRun {
  const FieldProblem* problem = nullptr;
  const FieldLearner* learner = nullptr;
  int setting = -1;  // which one a tuning run tries
  Cell cell;
};
/// In the order problem, learner, setting and seed; the fresh runs of a problem and learner follow its tuning runs.
std::vector<FieldRun> field_runs(const FieldGrid& grid, const std::filesystem::path& directory);

/// What was tried for a learner on a problem.
struct FieldChoice {
  std::vector<double> cost;  // mean average cost on the tuning seeds, by setting
  std::size_t chosen = 0;    // least cost, the first of equals
};
using FieldKey = std::pair<std::string, std::string>;  // problem, learner
/// From the summaries of the tuning runs; `summaries` are those of `runs`.
std::map<FieldKey, FieldChoice> field_choices(std::span<const FieldRun> runs, std::span<const std::string> summaries);
/// The overrides that belong to the setting of a run.
const std::vector<std::string>& setting_of(const FieldRun& run, const std::map<FieldKey, FieldChoice>& choices);

struct FieldData {
  FieldGrid grid;
  std::map<FieldKey, FieldChoice> choices;
  std::map<FieldKey, std::vector<ExplorationResult>> results;  // of the fresh seeds
  std::map<FieldKey, double> heuristics;                       // problem, heuristic -> its score, exact
  std::map<FieldKey, double> seconds;                          // per step, the least of the fresh seeds

  const std::vector<ExplorationResult>& at(const FieldProblem& problem, const FieldLearner& learner) const;
  std::vector<double> scores(const FieldProblem& problem, const FieldLearner& learner) const;
};
FieldData collect_field(const FieldGrid& grid, std::span<const FieldRun> runs, const Finished& finished);

/// The mean over the problems and the fresh seeds of a learner's rank among all at that seed (1 is the best score; ties
/// share), with Student's 95% t interval: one mean rank per seed.
std::vector<Interval> mean_ranks(const FieldData& data);

/// The share of problems on which the learner's mean score is at most `distance` below the best learner's.
double share_within(const FieldData& data, const FieldLearner& learner, double distance);

/// How the regret grows over the last factor of ten of steps, median over all problems and seeds: 1 is linear, 0.5
/// sqrt(t).
double regret_slope(const FieldData& data, const FieldLearner& learner);

/// Seconds per step of a learner, mean over the problems.
double seconds_per_step(const FieldData& data, const FieldLearner& learner);

/// The tables of docs/results/field.md (docs/results/field_tables.py puts them there).
std::string field_markdown(const FieldData& data);

/// (a) to (d), in order.
std::vector<Claim> field_claims(const FieldData& data);

FigureReport field_report(const FieldData& data, std::span<const FieldRun> runs);

/// Its entry in the catalogue.
Figure field_figure();

}  // namespace politex::inline studies
