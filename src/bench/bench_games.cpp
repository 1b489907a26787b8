#include "politex/bench/bench_games.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <ctime>

#include "politex/base/pool.hpp"
#include "politex/base/unknown.hpp"
#include "politex/bench/bench_clock.hpp"
#include "politex/figures/experiments.hpp"
#include "politex/run/neural_run.hpp"
#include "politex/run/parts.hpp"

namespace politex::inline bench {
namespace {

/// Restricts threads and processes that start during its lifetime to these cores.
class OnCores {
 public:
  explicit OnCores(const cpu_set_t& cores) {
    sched_getaffinity(0, sizeof before_, &before_);
    sched_setaffinity(0, sizeof cores, &cores);
  }
  ~OnCores() { sched_setaffinity(0, sizeof before_, &before_); }
  OnCores(const OnCores&) = delete;
  OnCores& operator=(const OnCores&) = delete;

 private:
  cpu_set_t before_{};
};

struct Division {
  cpu_set_t emulator{}, learner{};
};

/// The last allowed core runs the emulator.
Division divide_cores() {
  Division cores;
  sched_getaffinity(0, sizeof cores.learner, &cores.learner);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(static_cast<std::size_t>(last), &cores.learner)) --last;
  CPU_SET(static_cast<std::size_t>(last), &cores.emulator);
  CPU_CLR(static_cast<std::size_t>(last), &cores.learner);
  return cores;
}

constexpr const char* games_name = "Ms. Pac-Man's memory: emulator alone, one core";
constexpr int game_ring = 10, phases_at_once = 2;

/// The figure's learner with the paper's 16 game steps per learner step and a full ring of networks. Replay and phases
/// are small, in the same proportion as in a long run: most policies are recomputed in every phase.
Config game_bench_config() {
  const std::vector<std::string> overrides = {"steps=1000000000",      "schedule.phase_steps=200",
                                              "replay.capacity=11000", "actors.transitions_per_step=16",
                                              "actors.threads=2",  // as by default, which would count one core here
                                              "actors.processes=1"};
  return read_experiment("ms_pacman/politex.toml", overrides);
}

class GameBench {
 public:
  GameBench() : cores_(divide_cores()), on_(cores_.learner) {
    const Config config = game_bench_config();
    neural::BlockMaker maker;
    {
      const OnCores child(cores_.emulator);
      alone_ = start_processes(config, 0, environments, 1);
      maker = block_maker(config);
    }
    maker.make = [make = maker.make, emulator = cores_.emulator](EnvironmentRange range) {
      const OnCores child(emulator);
      return make(range);
    };
    run_ = std::make_unique<NeuralRun>(config, maker, nullptr);
    while (run_->agent().phase() <= game_ring) run_->advance();
  }

  /// CPU time of the emulator's process, in seconds.
  double emulator_cpu() const {
    clockid_t clock{};
    timespec now{};
    if (clock_getcpuclockid(alone_->processes().front(), &clock) != 0 || clock_gettime(clock, &now) != 0)
      return unknown;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  /// Steps per second with random actions.
  double alone() {
    constexpr int rounds = 250;
    std::vector<Action> actions(environments);
    std::vector<StepResult> steps(environments);
    const double begin = wall_seconds(), cpu = emulator_cpu();
    for (int round = 0; round < rounds; ++round) {
      for (Action& action : actions)
        action = static_cast<Action>(choose_.below(static_cast<std::uint64_t>(alone_->space().actions)));
      alone_->step(0, actions, steps);
    }
    emulating_us_.push_back(1e6 * (emulator_cpu() - cpu) / (rounds * environments));
    return rounds * environments / (wall_seconds() - begin);
  }

  double learning() {
    const std::int64_t before = run_->steps_done(), end = run_->agent().phase() + phases_at_once;
    const double begin = wall_seconds(), cpu = process_cpu_seconds();
    while (run_->agent().phase() < end) run_->advance();
    const auto steps = static_cast<double>(run_->steps_done() - before);
    learning_us_.push_back(1e6 * (process_cpu_seconds() - cpu) / steps);
    return steps / (wall_seconds() - begin);
  }

  /// CPU time per game step so far: of the emulator, and of everything else when learning.
  const std::vector<double>& emulating_us() const { return emulating_us_; }
  const std::vector<double>& learning_us() const { return learning_us_; }

 private:
  static constexpr int environments = 8;
  Division cores_;
  OnCores on_;
  std::unique_ptr<ProcessBlock> alone_;
  std::unique_ptr<NeuralRun> run_;
  Rng choose_{1};
  std::vector<double> emulating_us_, learning_us_;
};

}  // namespace

std::vector<NeuralBenchRow> game_rows(const GameTimes& times) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < times.learning.size(); ++round)
    ratios.push_back(2.0 * times.learning[round] / (times.alone[2 * round] + times.alone[2 * round + 1]));
  return {{games_name, median_of(times.alone), "steps/s"},
          {"  learning, 16 game steps per learner step", median_of(times.learning), "steps/s"},
          {"  learning compared with the emulator alone", median_of(ratios), "x", 0.85},
          {"  CPU time per step: emulator", median_of(times.emulating_us), "us"},
          {"    and everything else when learning", median_of(times.learning_us), "us"}};
}

void add_games(std::vector<NeuralBenchRow>& rows) {
  const auto skip = [&](std::string why) { rows.push_back({.name = games_name, .skipped = std::move(why)}); };
  if (resolve_jobs(0) < 2) return skip("needs a second core for learning");
  try {
    GameBench bench;
    GameTimes times;
    for (int round = 0; round < 5; ++round) {
      times.alone.push_back(bench.alone());
      times.learning.push_back(bench.learning());
      times.alone.push_back(bench.alone());
    }
    times.emulating_us = bench.emulating_us();
    times.learning_us = bench.learning_us();
    for (NeuralBenchRow& row : game_rows(times)) rows.push_back(std::move(row));
  } catch (const ConfigError& error) {
    skip(error.what());
  }
}

}  // namespace politex::inline bench
