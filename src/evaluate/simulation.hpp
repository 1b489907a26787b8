// Long runs of a frozen policy, recorded in batches: on the tables of a finite environment, or in any environment. Two
// policies that are simulated with the same seed meet the same random draws (common random numbers), so their costs can
// be compared batch by batch. The numbers depend on the seed and the sizes, never on threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "politex/env/block.hpp"
#include "politex/env/finite_model.hpp"
#include "politex/evaluate/long_run.hpp"
#include "politex/policy/explorer.hpp"
#include "politex/policy/policy_table.hpp"

namespace politex::inline evaluate {

/// The streams of an evaluation: the comparator of a run uses index 0 of the same names.
inline Rng evaluation_actions(std::uint64_t seed, std::uint64_t run) { return Rng(seed, Use::comparator, run + 1); }
inline Rng evaluation_moves(std::uint64_t seed, std::uint64_t run) {
  return Rng(seed, Use::comparator_environment, run + 1);
}

struct SimulationSizes {
  std::uint64_t seed = 1;
  int runs = 1;                    // independent ones
  std::int64_t batch_steps = 512;  // on tables a multiple of 32
  std::int64_t batches = 0;        // of every run
  int jobs = 0;                    // threads; 0: all cores

  std::int64_t steps() const noexcept { return runs * batch_steps * batches; }
};

/// What the runs did, one series per run.
struct Recorded {
  std::vector<Batches> batches;  // of equal length
  std::vector<Batches> cycles;   // groups of cycles of at least one batch; empty where nothing recurs
};

/// The state that a short run of the policy visits most often, where that is at least once in 200 steps; else -1.
int frequent_state(const FiniteModel& model, const PolicyTable& policy, std::uint64_t seed);

/// How many runs one thread walks in turn: while one waits for memory, the others continue. As many as leave no thread
/// without work, at most four. Does not affect results.
int runs_at_once(int runs, int jobs) noexcept;

/// Every step takes one draw for the action and one for the successor. `home` is the state where cycles begin (-1:
/// none).
Recorded simulate(const FiniteModel& model, const PolicyTable& policy, int home, const SimulationSizes& sizes);

/// Makes the environments of one run.
using MakeBlock = std::function<std::unique_ptr<EnvironmentBlock>(int run)>;

/// In any environment. Cycles begin with new episodes, which forget the past.
Recorded simulate(const MakeBlock& make, const Explorer& policy, const SimulationSizes& sizes);

}  // namespace politex::inline evaluate
