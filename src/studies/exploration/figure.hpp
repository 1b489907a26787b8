// The figure of exploration: how fast the regret per step falls on every problem of the suite, for the default learner,
// its variants, the paper's algorithm and plain baselines.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "politex/figures/figure.hpp"
#include "politex/record/curve_file.hpp"
#include "politex/studies/exploration/suite.hpp"

namespace politex::inline studies {

/// How much is run. `seeds` 0: as the suite says.
struct ExplorationGrid {
  bool quick = false;
  std::int64_t steps = 0;
  std::vector<const SuiteProblem*> problems;
  int seeds = 0;

  int seeds_of(const SuiteProblem& problem, const SuiteLearner& learner) const;
};
ExplorationGrid exploration_grid(bool quick, int seeds = 0);

/// A run of the figure: which problem, which learner.
struct ExplorationRun {
  const SuiteProblem* problem = nullptr;
  const SuiteLearner* learner = nullptr;
  Cell cell;
};
/// In the order problem, learner, seed. Problems that are files are read from below `directory`.
std::vector<ExplorationRun> exploration_runs(const ExplorationGrid& grid, const std::filesystem::path& directory);
/// The settings of a problem, with the path of its file below `directory` and the seed of its model.
std::vector<std::string> overrides_of(const SuiteProblem& problem, std::uint64_t seed,
                                      const std::filesystem::path& directory);
/// Writes these files.
void write_problems(std::span<const SuiteProblem* const> problems, const std::filesystem::path& directory);

/// Average costs per step of the uniformly random policy and of the best one.
struct Scale {
  double random = 1.0, optimum = 0.0;
  /// What is lost, as a share of what random actions lose: 0 at the optimum, 1 for random actions.
  double loss(double average_cost) const noexcept { return (average_cost - optimum) / (random - optimum); }
};
/// Exact where states are listed, else as the suite says.
Scale scale_of(const SuiteProblem& problem, const Config& config);

/// What a run measured.
struct ExplorationResult {
  std::uint64_t seed = 0;
  double score = 0.0;            // of the whole run: 0 for random actions, 1 at the optimum
  double last_tenth = 0.0;       // of its last tenth
  double explorer_share = 0.0;   // of the steps, probes included
  std::vector<CurvePoint> loss;  // CurvePoint::average_cost is Scale::loss of all steps so far
};
/// Fails: the last tenth of the run is nearer to random actions than to the optimum.
inline bool failed(const ExplorationResult& result) { return result.last_tenth < 0.5; }

struct ExplorationData {
  ExplorationGrid grid;
  std::map<std::pair<std::string, std::string>, std::vector<ExplorationResult>> results;  // problem, learner

  /// Empty where the learner does not run.
  const std::vector<ExplorationResult>& at(const SuiteProblem& problem, const SuiteLearner& learner) const;
  std::vector<double> scores(const SuiteProblem& problem, const SuiteLearner& learner) const;
};
/// One run from its summary and its curve.
ExplorationResult measured(const Scale& scale, std::uint64_t seed, const std::string& summary,
                           std::vector<CurvePoint> curve);
/// `summaries` and the directories are those of `runs`.
ExplorationData collect(const ExplorationGrid& grid, std::span<const ExplorationRun> runs, const Finished& finished);

/// The loss after a number of steps, interpolated between the points of a curve.
double loss_at(const ExplorationResult& result, double steps);
/// log10 of the loss after all steps, less that after a tenth of them: -0.5 for a regret that grows like sqrt(t).
double last_decade(const ExplorationResult& result, std::int64_t steps);

/// Where the explorer of a run goes: the steps that it takes in every state, and the states where its segments end (the
/// probe). The run is repeated, which gives the same bits.
struct ExplorerWalk {
  std::vector<double> visits, ends;  // by state
  /// The share of states that ended a segment; the effective number of them, exp(entropy), as a share.
  double covered = 0.0, effective = 0.0;
};
ExplorerWalk explorer_walk(const Config& config);

/// A walk of the figure: the default, its uniform variant, and where it runs always-1, with the first seed.
struct NamedWalk {
  const SuiteProblem* problem = nullptr;
  const SuiteLearner* learner = nullptr;
  ExplorerWalk walk;
};
std::vector<NamedWalk> explorer_walks(std::span<const ExplorationRun> runs, int jobs, const std::atomic<int>* stop);

/// (a) to (e), in order.
std::vector<Claim> exploration_claims(const ExplorationData& data);

FigureReport exploration_report(const ExplorationData& data, std::span<const ExplorationRun> runs,
                                std::span<const NamedWalk> walks);

/// One row per run, no times.
std::string exploration_csv(const ExplorationData& data);
/// problem,learner,seed,steps,loss
std::string exploration_curves_csv(const ExplorationData& data);

/// Its entry in the catalogue.
Figure exploration_figure();

}  // namespace politex::inline studies
