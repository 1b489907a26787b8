// What the theory figure measures: worlds on which A1-A3 hold, and the jobs of its six parts.
#pragma once

#include <atomic>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "politex/lab/config.hpp"
#include "politex/lab/run.hpp"
#include "politex/lab/theory_table.hpp"

namespace politex::lab {

/// Teleporting makes A1 and A2 hold, a basis of the features' span and uniform exploration A3.
inline constexpr const char* theory_worlds[] = {"DeepSea", "RiverSwim", "Garnet"};

/// How much is measured. Equal grids give equal tables, whatever the number of threads.
struct TheoryGrid {
  bool quick = false;
  int seeds = 0;                       // 1..seeds
  std::vector<std::int64_t> rollouts;  // (a) m
  std::vector<std::int64_t> lengths;   // (f) s
  std::vector<std::int64_t> steps;     // (c) T
  std::vector<double> etas;            // (d)
  std::vector<double> teleports;       // (e)
  std::vector<double> mixtures;        // (e) share of the uniform policy in the explorer
  std::int64_t short_steps = 0;        // (d), (e) T
};
TheoryGrid theory_grid(bool quick);

constexpr double theory_teleport = 0.2;          // (a)-(d), (f)
constexpr double excitation_teleport = 0.05;     // (e) against sigma: rarer jumps leave more to the explorer
constexpr std::int64_t theory_rollout = 40;      // (a) s
constexpr std::int64_t theory_settle = 30;       // (a), (f) s': what is left of the start is below .8^30
constexpr std::int64_t theory_samples = 400;     // (f) m
constexpr std::int64_t theory_bias_length = 40;  // (b) s up to
/// (f): ceil(kappa log m), the costs after which the bias is below the noise.
std::int64_t theory_horizon();

/// The run of (c): Algorithm 1 as analysed (one visit, last cost, the theorem's eta). `schedule` is theory or
/// theory_text. Every Garnet has its seed's own model.
Config theory_config(const std::string& world, std::uint64_t seed, const std::string& schedule, std::int64_t steps,
                     double teleport = theory_teleport);
/// Twice the larger of the exact ranges of the uniform and an optimal policy's Q, rounded up to a tenth: what the
/// theorem's eta counts on.
double theory_q_max(const Config& config);

/// Everything, in a fixed order; progress on standard error. Explorers of (e) are written to `directory`/explorers.
TheoryTable measure_theory(const TheoryGrid& grid, const std::filesystem::path& directory, int jobs,
                           const std::atomic<int>* stop);

}  // namespace politex::lab
