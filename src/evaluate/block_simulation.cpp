#include <algorithm>
#include <numeric>

#include "politex/base/pool.hpp"
#include "politex/evaluate/simulation.hpp"

namespace politex::inline evaluate {
namespace {

/// The policy remembers nothing of the past.
bool forgot(const ExplorerMemory& memory) { return memory.goal == -1 && memory.left == 0 && memory.action == 0; }

class BlockRun {
 public:
  BlockRun(std::unique_ptr<EnvironmentBlock> block, const Explorer& policy, std::uint64_t seed, int run)
      : block_(std::move(block)),
        policy_(policy),
        rng_(evaluation_actions(seed, static_cast<std::uint64_t>(run))),
        observation_(block_->space().numbers()) {
    block_->observe(0, observation_);
  }

  void play(std::int64_t batches, std::int64_t batch_steps) {
    for (std::int64_t b = 0; b < batches; ++b) {
      Batch batch;
      while (batch.steps < batch_steps) {
        const StepResult result = step();
        batch.cost += result.cost;
        cycle_.cost += result.cost;
        ++batch.steps;
        ++cycle_.steps;
        if ((result.terminated || result.truncated) && forgot(memory_)) end_cycle(batch_steps);
      }
      batches_.push_back(batch);
    }
  }

  const Batches& batches() const noexcept { return batches_; }
  const Batches& cycles() const noexcept { return cycles_; }

 private:
  StepResult step() {
    StepResult result;
    do {
      const Action action = policy_.act(observation_, memory_, rng_);
      block_->step(0, {&action, 1}, {&result, 1});
      block_->observe(0, observation_);
    } while (result.skipped);
    return result;
  }
  void end_cycle(std::int64_t least) {
    if (begun_ && cycle_.steps < least) return;
    if (begun_) cycles_.push_back(cycle_);
    begun_ = true;
    cycle_ = {};
  }

  std::unique_ptr<EnvironmentBlock> block_;
  const Explorer& policy_;
  Rng rng_;
  std::vector<double> observation_;
  ExplorerMemory memory_;
  Batch cycle_;
  bool begun_ = false;
  Batches batches_, cycles_;
};

}  // namespace

Recorded simulate(const MakeBlock& make, const Explorer& policy, const SimulationSizes& sizes) {
  std::vector<std::size_t> runs(static_cast<std::size_t>(sizes.runs));
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  Recorded out;
  out.batches.resize(runs.size());
  out.cycles.resize(runs.size());
  run_jobs(runs, sizes.jobs, [&](std::size_t i) {
    BlockRun run(make(static_cast<int>(i)), policy, sizes.seed, static_cast<int>(i));
    run.play(sizes.batches, sizes.batch_steps);
    out.batches[i] = run.batches();
    out.cycles[i] = run.cycles();
  });
  const auto recurs = [](const Batches& one) { return !one.empty(); };
  if (!std::ranges::all_of(out.cycles, recurs)) out.cycles.clear();
  return out;
}

}  // namespace politex::inline evaluate
