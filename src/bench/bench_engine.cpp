#include "politex/bench/bench_engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/bench/bench_clock.hpp"
#include "politex/figures/deep_sea/figure.hpp"
#include "politex/record/checkpoint.hpp"
#include "politex/record/engine.hpp"
#include "politex/run/config_io.hpp"

namespace politex::inline bench {
namespace {

namespace fs = std::filesystem;

constexpr int short_pairs = 101;
constexpr int long_pairs = 15;
constexpr std::size_t figure_rounds = 6;
constexpr std::size_t figure_curves = 8;  // the first ones belong to the preset
constexpr int checkpoints = 15;
constexpr int size = 20;

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "politex-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(fmt::format("{}: cannot be created", name));
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

// CPU time of all threads: a separate thread prints the rows of longer runs, which costs time if every core has a run.
template <class Work>
double cpu_seconds_of(Work&& work) {
  const double begin = process_cpu_seconds();
  work();
  return process_cpu_seconds() - begin;
}

struct Times {
  double learner = 0.0, all = 0.0, wall = 0.0;
};

template <class Work>
Times times_of(Work&& work) {
  const double wall = wall_seconds();
  const double learner = cpu_seconds();
  const double all = cpu_seconds_of(work);
  return {cpu_seconds() - learner, all, wall_seconds() - wall};
}

Times time_bare(const Config& config) {
  return times_of([&] {
    const auto run = make_run(config);
    while (!run->done()) run->advance();
    static_cast<void>(run->summary());
  });
}

Times time_driven(const Config& config, const fs::path& directory) {
  return times_of([&] {
    const auto run = make_run(config);
    const RunDirectory held = RunDirectory::create(directory);
    EngineOptions options;
    options.directory = &held;
    static_cast<void>(drive(*run, config, options));
  });
}

Overhead overhead_of_times(std::span<const Times> bare, std::span<const Times> driven, double Times::*clock) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < bare.size(); ++k) ratios.push_back(driven[k].*clock / (bare[k].*clock) - 1.0);
  const auto least = [&](std::span<const Times> times) { return std::ranges::min(times, {}, clock).*clock; };
  return overhead_of_pairs(std::move(ratios), least(bare), least(driven));
}

EngineBench::Clocks time_pairs(const Config& config, const fs::path& directory, std::int64_t count, double* bare_ms) {
  std::vector<Times> bare, driven;
  for (std::int64_t k = 0; k < count; ++k) {
    const fs::path place = directory / fmt::format("{}", k);
    if (k % 2 == 0) bare.push_back(time_bare(config));
    driven.push_back(time_driven(config, place));
    if (k % 2 == 1) bare.push_back(time_bare(config));
  }
  // Not between the runs: for minutes after deleting files, ext4 is slow to create new ones.
  fs::remove_all(directory);
  if (bare_ms != nullptr) *bare_ms = 1e3 * std::ranges::min(bare, {}, &Times::all).all;
  return {.learner = overhead_of_times(bare, driven, &Times::learner),
          .all = overhead_of_times(bare, driven, &Times::all),
          .wall = overhead_of_times(bare, driven, &Times::wall)};
}

// Every curve and size of the preset with one seed, bare and by the engine, in alternating order.
void time_figure(const DeepSeaGrid& grid, const fs::path& directory, std::size_t rounds, EngineBench& result) {
  std::vector<double> bare(rounds, 0.0), driven(rounds, 0.0), ratios;
  int runs = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const DeepSeaCurveName& curve : deep_sea_curves().first(figure_curves))
      for (const int n : grid.sizes) {
        const Config config = config_of(deep_sea_cell(curve.curve, n, 1, grid));
        const bool first = ++runs % 2 == 0;
        if (first) bare[round] += time_bare(config).all;
        driven[round] += time_driven(config, directory / fmt::format("{}", runs)).all;
        if (!first) bare[round] += time_bare(config).all;
      }
    ratios.push_back(driven[round] / bare[round] - 1.0);
  }
  fs::remove_all(directory);
  result.figure_seconds = std::ranges::min(bare);
  result.whole_figure = overhead_of_pairs(std::move(ratios), std::ranges::min(bare), std::ranges::min(driven));
}

void time_checkpoints(const Config& config, const fs::path& directory, EngineBench& result) {
  const auto run = make_run(config);
  while (run->steps_done() < config.steps / 2) run->advance();
  std::vector<double> wall, cpu;
  for (int k = 0; k < checkpoints; ++k) {
    run->advance();
    const auto begin = std::chrono::steady_clock::now();
    cpu.push_back(1e3 * cpu_seconds_of([&] {
                    Checkpoint checkpoint;
                    checkpoint.config = to_toml(config);
                    checkpoint.steps = run->steps_done();
                    ByteWriter state;
                    run->save(state);
                    checkpoint.state = state.bytes();
                    write_checkpoint(directory, checkpoint);
                  }));
    wall.push_back(1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  result.checkpoint_ms = median_of(wall);
  result.checkpoint_cpu_ms = median_of(cpu);
}

}  // namespace

Overhead overhead_of_pairs(std::vector<double> pairs, double least_bare, double least_driven) {
  std::ranges::sort(pairs);
  // The true median is not between the r-th smallest and largest value with probability 2 P(Binomial(n, 1/2) < r).
  const std::size_t n = pairs.size();
  double term = std::pow(0.5, static_cast<double>(n));
  double below = 0.0;
  std::size_t r = 0;
  for (; r < n / 2 && 2.0 * (below + term) <= 0.05; ++r) {
    below += term;
    term *= static_cast<double>(n - r) / static_cast<double>(r + 1);
  }
  Overhead overhead{.median = pairs[n / 2], .low = pairs.front(), .high = pairs.back(), .least = 0.0};
  if (r > 0) {
    overhead.low = pairs[r - 1];
    overhead.high = pairs[n - r];
  }
  overhead.least = least_driven / least_bare - 1.0;
  return overhead;
}

EngineBench bench_engine(const BenchEffort& effort) {
  const TemporaryDirectory directory;
  DeepSeaGrid grid = deep_sea_grid(false);
  grid.steps = effort.of(grid.steps, 10'000);  // time_checkpoints needs its phases
  Config config = config_of(deep_sea_cell(DeepSeaCurve::every_visit, size, 1, grid));
  EngineBench result;
  result.short_run = time_pairs(config, directory.path() / "short", effort.of(short_pairs), &result.bare_ms);
  time_figure(grid, directory.path() / "figure", static_cast<std::size_t>(effort.of(figure_rounds)), result);
  time_checkpoints(config, directory.path() / "checkpoints", result);
  config.steps *= 10;
  result.long_run = time_pairs(config, directory.path() / "long", effort.of(long_pairs), nullptr);
  return result;
}

std::string engine_bench_text(const EngineBench& result) {
  const auto line = [](const char* name, const Overhead& value) {
    return fmt::format("  {:<40}{:>8.2f} %  [{:.2f}, {:.2f}]{:>10.2f} %{:>8}\n", name, 100.0 * value.median,
                       100.0 * value.low, 100.0 * value.high, 100.0 * value.least, "2 %");
  };
  const auto clocks = [&](const char* name, const EngineBench::Clocks& run) {
    return fmt::format("{}\n", name) + line("CPU time of the learner's thread", run.learner) +
           line("CPU time of all threads", run.all) + line("wall time, including waiting for the disk", run.wall);
  };
  return fmt::format(
             "\noverhead of the engine over the bare learner: records, pictures, checkpoints (FIGURE, {:.1f} ms bare)\n"
             "  {:<40}{:>10}  {:<16}{:>9}{:>8}\n",
             result.bare_ms, "", "median", "[95%]", "least", "aim") +
         clocks("T = 5e5, N = 20, every visit", result.short_run) + clocks("T = 5e6", result.long_run) +
         fmt::format("all {} runs of a seed of the figure ({:.1f} s bare)\n",
                     figure_curves * deep_sea_grid(false).sizes.size(), result.figure_seconds) +
         line("CPU time of all threads", result.whole_figure) +
         fmt::format("a checkpoint, until it is on disk    {:>14.2f} ms, of which {:.2f} ms CPU time; aim: 5 ms\n",
                     result.checkpoint_ms, result.checkpoint_cpu_ms);
}

}  // namespace politex::inline bench
