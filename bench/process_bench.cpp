// The cost per step of an environment in another process: the plain server of tests/process (whose step takes
// nanoseconds) compared with the same call in this process. Wall time, because the child's work counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "politex/process/process_block.hpp"

namespace politex {
namespace {

/// The plain server's walker behind the same virtual call.
class WalkersHere {
 public:
  virtual ~WalkersHere() = default;
  explicit WalkersHere(std::size_t count) : places_(count, 1) {}
  virtual void step(int, std::span<const Action> actions, std::span<StepResult> into) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      places_[i] = (places_[i] + actions[i]) % 7;
      into[i] = {.cost = places_[i] == 0 ? -1.0 : 0.0, .terminated = places_[i] == 0};
    }
  }

 private:
  std::vector<int> places_;
};

constexpr int rounds = 50;

template <class Block>
void run_rounds(benchmark::State& state, Block& block, std::size_t count) {
  const std::vector<Action> actions(count, 1);
  std::vector<StepResult> steps(count);
  double best = 1.0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
      block.step(0, actions, steps);
      benchmark::DoNotOptimize(steps.data());
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::min(best, seconds / rounds / static_cast<double>(count));
  }
  state.SetItemsProcessed(state.iterations() * rounds * static_cast<std::int64_t>(count));
  state.counters["best_step"] = best;  // best of any 50 rounds, which other work on the machine does not hide
}

#ifdef POLITEX_PLAIN_SERVER
void in_another_process(benchmark::State& state) {
  ProcessSettings settings;
  settings.command = {POLITEX_PLAIN_SERVER, "float"};
  settings.name = "walker";
  settings.count = static_cast<int>(state.range(0));
  ProcessBlock block(settings);
  run_rounds(state, block, static_cast<std::size_t>(settings.count));
}
BENCHMARK(in_another_process)->Arg(1)->Arg(8)->UseRealTime();
#endif

void in_this_process(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::unique_ptr<WalkersHere> walkers = std::make_unique<WalkersHere>(count);
  run_rounds(state, *walkers, count);
}

BENCHMARK(in_this_process)->Arg(1)->Arg(8)->UseRealTime();

}  // namespace
}  // namespace politex
