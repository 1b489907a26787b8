// The theorem and the lemmas in environments where their assumptions hold: fourteen claims and fifteen pictures.
#pragma once

#include <atomic>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/figures/figure.hpp"
#include "politex/theory/table.hpp"

namespace politex::inline figures {

/// Teleporting makes A1 and A2 hold, a basis of the features' span and uniform exploration A3.
inline constexpr const char* theory_environments[] = {"DeepSea", "RiverSwim", "Garnet"};

/// How much is measured. Equal grids give equal tables, whatever the number of threads.
struct TheoryGrid {
  bool quick = false;
  int seeds = 0;                       // from first_judged_seed on
  std::vector<std::int64_t> rollouts;  // (a) m
  std::vector<std::int64_t> lengths;   // (f) s
  std::vector<std::int64_t> steps;     // (c) T
  std::vector<double> etas;            // (d)
  std::vector<double> teleports;       // (e)
  std::vector<double> mixtures;        // (e) share of the uniform policy in the explorer
  std::int64_t short_steps = 0;        // (d), (e) T
};
/// `seeds` 0: the figure's own number.
TheoryGrid theory_grid(bool quick, int seeds = 0);

constexpr double theory_teleport = 0.2;          // (a)-(d), (f)
constexpr double excitation_teleport = 0.05;     // (e) against sigma: rarer jumps leave more to the explorer
constexpr std::int64_t theory_rollout = 40;      // (a) s
constexpr std::int64_t theory_settle = 30;       // (a), (f) s': what is left of the start is below .8^30
constexpr std::int64_t theory_samples = 400;     // (f) m
constexpr std::int64_t theory_bias_length = 40;  // (b) s up to
/// (f): ceil(kappa log m), the costs after which the bias is below the noise.
std::int64_t theory_horizon();

/// A run of (c), from experiments/theory: Algorithm 1 as analysed (one visit, last cost, the theorem's eta). `schedule`
/// is theory or theory_text. Every seed has its own Garnet.
Cell theory_cell(const std::string& environment, std::uint64_t seed, const std::string& schedule, std::int64_t steps,
                 double teleport = theory_teleport);
/// The q_max on which the theorem's eta is based: twice the larger of the exact ranges of Q of the uniform and an
/// optimal policy, rounded up to a tenth.
double theory_q_max(const Config& config);

/// A run, and what its measurements have in common.
struct TheoryRun {
  TheoryPoint point;
  Cell cell;
};
/// The runs of (c), (d) and (e). Explorers of (e) are policy files below `directory`.
std::vector<TheoryRun> theory_runs(const TheoryGrid& grid, const std::filesystem::path& directory);
/// Writes these policy files.
void write_explorers(const TheoryGrid& grid, const std::filesystem::path& directory);

/// All measurements, in a fixed order: those of the runs, whose summaries are given, and (a), (b) and (f), which are
/// computed here in some seconds. Throws Error when stopped.
TheoryTable measure_theory(const TheoryGrid& grid, std::span<const TheoryRun> runs,
                           std::span<const std::string> summaries, int jobs, const std::atomic<int>* stop);

FigureReport theory_report(const TheoryTable& table, const TheoryGrid& grid);

/// In the order of the figure's parts.
std::vector<Claim> theory_claims(const TheoryTable& table);

/// The slope of the paper's expression for a regret term between the T's of (c), with the lengths as they are rounded:
/// n m s' for E, m s sqrt(n) + n sqrt(m) s for PR, n m for V, sqrt(T) for W, the sum of the first three for regret; NaN
/// for other terms. `schedule` is theory or theory_text.
double expression_slope(const std::string& term, const std::string& schedule, const std::vector<double>& steps);

/// The slope of log y on log x of every replicate, where x is itself measured.
std::vector<double> powers_between(const Samples& x, const Samples& y);

/// Its entry in the catalogue.
Figure theory_figure();

}  // namespace politex::inline figures
