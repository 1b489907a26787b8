#include "politex/lab/bench_engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "politex/base/error.hpp"
#include "politex/lab/bench_clock.hpp"
#include "politex/lab/checkpoint.hpp"
#include "politex/lab/config_io.hpp"
#include "politex/lab/deep_sea_grid.hpp"
#include "politex/lab/engine.hpp"

namespace politex::lab {
namespace {

namespace fs = std::filesystem;

constexpr int pairs = 15;
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

// Of all threads: rows are printed by one of their own, which is not free where every core has a run.
double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double cpu_seconds_of(Work&& work) {
  const double begin = process_cpu_seconds();
  work();
  return process_cpu_seconds() - begin;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Times {
  double all = 0.0, learner = 0.0;
};

template <class Work>
Times times_of(Work&& work) {
  const double thread_begin = cpu_seconds();
  const double all = cpu_seconds_of(work);
  return {all, cpu_seconds() - thread_begin};
}

EngineBench::Overhead overhead_of(const Config& config, const fs::path& directory, int count) {
  std::vector<double> all, learner;
  for (int k = 0; k < count; ++k) {
    const Times bare = times_of([&] {
      const auto run = make_run(config);
      while (!run->done()) run->advance();
      static_cast<void>(run->summary());
    });
    const Times driven = times_of([&] {
      const auto run = make_run(config);
      const RunDirectory held = RunDirectory::create(directory / fmt::format("{}", k));
      EngineOptions options;
      options.directory = &held;
      static_cast<void>(drive(*run, config, options));
    });
    all.push_back(driven.all / bare.all - 1.0);
    learner.push_back(driven.learner / bare.learner - 1.0);
  }
  return {median(all), median(learner)};
}

void time_checkpoints(const Config& config, const fs::path& directory, EngineBench& result) {
  const auto run = make_run(config);
  while (run->steps_done() < config.steps / 2) run->advance();
  std::vector<double> wall, cpu;
  for (int k = 0; k < pairs; ++k) {
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
  result.checkpoint_ms = median(wall);
  result.checkpoint_cpu_ms = median(cpu);
}

}  // namespace

EngineBench bench_engine() {
  const TemporaryDirectory directory;
  Config config = deep_sea_config(Curve::every_visit, size, 1, deep_sea_grid(false));
  EngineBench result;
  result.short_run = overhead_of(config, directory.path() / "short", pairs);
  time_checkpoints(config, directory.path() / "checkpoints", result);
  config.steps *= 10;
  result.long_run = overhead_of(config, directory.path() / "long", pairs / 3);
  return result;
}

std::string engine_bench_text(const EngineBench& result) {
  const auto line = [](const char* name, double value, const char* unit, const char* aim) {
    return fmt::format("{:<44}{:>9.2f} {:<2}{:>20}\n", name, value, unit, aim);
  };
  return "\nthe engine beside the bare learner: records, pictures, checkpoints (FIGURE)\n" +
         line("CPU time added to the learner's thread, 5e5", 100.0 * result.short_run.learner, "%", "2 %") +
         line("  by all threads", 100.0 * result.short_run.all, "%", "2 %") +
         line("CPU time added to the learner's thread, 5e6", 100.0 * result.long_run.learner, "%", "2 %") +
         line("  by all threads", 100.0 * result.long_run.all, "%", "2 %") +
         line("a checkpoint, until it is on the disk", result.checkpoint_ms, "ms", "5 ms") +
         line("  of which CPU time", result.checkpoint_cpu_ms, "ms", "");
}

}  // namespace politex::lab
