#include "politex/bench/bench_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <thread>

#include "politex/base/pool.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/run/neural_run.hpp"

namespace politex::inline bench {
namespace {

constexpr int cores_ring = 10, cores_batch = 128;

/// The figure's learner with a full ring, in phases short enough to fill it soon. Replay and phases have the proportion
/// of the last phases of a long run: every row's policy is recomputed in every phase.
Config steady_config(int threads, const BenchEffort& effort) {
  const std::vector<std::string> overrides = {
      "steps=1000000000", fmt::format("schedule.phase_steps={}", effort.of(1500)),
      fmt::format("replay.capacity={}", effort.of(40'000)), fmt::format("actors.threads={}", threads)};
  return read_experiment("cartpole/ee_politex.toml", overrides);
}

std::vector<std::byte> full_ring_state(const BenchEffort& effort) {
  const Config config = steady_config(0, effort);
  NeuralRun first(config, block_maker(config));
  while (first.agent().phase() <= cores_ring) first.advance();
  ByteWriter saved;
  first.save(saved);
  return saved.bytes();
}

std::unique_ptr<NeuralRun> steady_run(const Config& config, std::span<const std::byte> state) {
  auto run = std::make_unique<NeuralRun>(config, block_maker(config));
  ByteReader from(state);
  run->restore(from);
  return run;
}

double play_phases(NeuralRun& run) {
  const std::int64_t before = run.steps_done();
  for (const std::int64_t end = run.agent().phase() + 3; run.agent().phase() < end;) run.advance();
  return static_cast<double>(run.steps_done() - before);
}

/// The upper bound of the speed-up with two threads. They cannot share the work evenly, because all policies are stale
/// when a phase starts and none can be computed before. At best, after k learner steps of a phase each thread has done
/// half of the work so far, and the rest of the phase takes as long as its learner steps. `acting` and `learning` are
/// times per learner step, `row` is the time per policy.
double ordered_speed_up(const Config& config, double acting, double learning, double row) {
  double before = 0.0, worst = 0.0, fresh = 1.0;
  const auto steps = static_cast<double>(config.whole("schedule.phase_steps"));
  // A step needs the stale ones among its rows, and overwrites some.
  const auto rows = static_cast<double>(config.whole("replay.capacity"));
  const double touched = 1.0 - (cores_batch + static_cast<double>(config.whole("actors.transitions_per_step"))) / rows;
  for (double k = 1.0; k <= steps; ++k) {
    before += acting + learning + row * cores_batch * fresh;
    fresh *= touched;
    worst = std::max(worst, before / 2.0 + (steps - k) * learning);
  }
  return before / worst;
}

void measure_one(const Config& config, std::span<const std::byte> state, CoreTimes& result) {
  const auto run = steady_run(config, state);
  const auto shared = run->agent().shared_work();
  shared.acting.switch_on();
  shared.refreshing.switch_on();
  const double cpu = cpu_seconds(), wall = wall_seconds();
  result.steps = play_phases(*run);
  result.one_wall.push_back(wall_seconds() - wall);
  result.one_cpu.push_back(cpu_seconds() - cpu);
  const double steps = result.steps / static_cast<double>(config.whole("actors.transitions_per_step"));
  result.one_rows.push_back(static_cast<double>(run->agent().learner().refreshed()));
  const double shared_seconds = shared.acting.seconds() + shared.refreshing.seconds();
  result.ordered.push_back(ordered_speed_up(config, shared.acting.seconds() / steps,
                                            (result.one_cpu.back() - shared_seconds) / steps,
                                            shared.refreshing.seconds() / result.one_rows.back()));
  result.learner_share.push_back(1.0 - shared_seconds / result.one_cpu.back());
}

void measure_two(const Config& config, std::span<const std::byte> state, CoreTimes& result) {
  const auto run = steady_run(config, state);
  const auto shared = run->agent().shared_work();
  shared.acting.switch_on();
  shared.refreshing.switch_on();
  const double cpu = cpu_seconds(), all = process_cpu_seconds(), wall = wall_seconds();
  play_phases(*run);
  result.two_wall.push_back(wall_seconds() - wall);
  result.learner_cpu.push_back(cpu_seconds() - cpu);
  result.two_rows.push_back(static_cast<double>(run->agent().learner().refreshed()));
  result.act_cpu.push_back(process_cpu_seconds() - all - result.learner_cpu.back());
  result.own_share.push_back(1.0 - (shared.acting.seconds() + shared.refreshing.seconds()) / result.learner_cpu.back());
}

void measure_both(const Config& config, std::span<const std::byte> state, CoreTimes& result) {
  const auto here = steady_run(config, state), there = steady_run(config, state);
  const double wall = wall_seconds();
  {
    const std::jthread other([&] { play_phases(*there); });
    play_phases(*here);
  }
  result.both_wall.push_back(wall_seconds() - wall);
}

CoreTimes measure_steady(bool two_cores, const BenchEffort& effort) {
  const std::int64_t rounds = effort.of(7);
  const std::vector<std::byte> state = full_ring_state(effort);
  const Config one = steady_config(0, effort), two = steady_config(1, effort);
  CoreTimes result;
  for (std::int64_t k = 0; k < rounds; ++k) {
    measure_one(one, state, result);
    if (!two_cores) continue;
    measure_two(two, state, result);
    measure_both(one, state, result);
  }
  return result;
}

double median_ratio(std::span<const double> above, std::span<const double> below) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < above.size(); ++k) ratios.push_back(above[k] / below[k]);
  return median_of(std::move(ratios));
}

}  // namespace

std::vector<NeuralBenchRow> core_rows(const CoreTimes& times) {
  std::vector<NeuralBenchRow> rows;
  const double share = median_of(times.learner_share);
  rows.push_back(
      {"end to end, ring full, one core", times.steps / std::ranges::min(times.one_cpu), "steps/s", 30'000.0});
  rows.push_back({"share of work that only the learner can do", share, "", 0.0});
  if (times.two_wall.empty()) return rows;
  const double allowed = std::min(2.0, 1.0 / share);
  rows.push_back({"speed-up possible on two cores with this share", allowed, "x", 0.0});
  rows.push_back({"  possible with the order of the work as well", median_of(times.ordered), "x", 0.0});
  rows.push_back({"speed-up on two idle cores, wall time", median_ratio(times.one_wall, times.two_wall), "x",
                  0.9 * std::min(allowed, median_of(times.ordered))});
  std::vector<double> busier;
  for (std::size_t k = 0; k < times.learner_cpu.size(); ++k)
    busier.push_back(std::max(times.learner_cpu[k], times.act_cpu[k]));
  rows.push_back({"  by CPU time of the busier thread", median_ratio(times.one_cpu, busier), "x", 0.0});
  rows.push_back({"  share of the learner's thread only it can do", median_of(times.own_share), "", 0.9});
  rows.push_back({"  share of stale policies that it computes", median_ratio(times.two_rows, times.one_rows), "", 0.0});
  rows.push_back({"  this machine: two parallel runs vs. two in turn",
                  2.0 * median_ratio(times.one_wall, times.both_wall), "x", 0.0});
  return rows;
}

void add_two_cores(std::vector<NeuralBenchRow>& rows, const BenchEffort& effort) {
  for (NeuralBenchRow& row : core_rows(measure_steady(resolve_jobs(0) > 1, effort))) rows.push_back(std::move(row));
}

}  // namespace politex::inline bench
