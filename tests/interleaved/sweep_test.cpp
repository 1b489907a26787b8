// Ranks that take the cells of two sweeps from one counter, over a model of MPI, in every order of their calls.
#include "politex/sweep/sweep.hpp"

#include <unistd.h>

#include <fstream>
#include <map>

#include "interleaved/model_fleet.hpp"
#include "run/fake_run.hpp"

namespace politex::inline sweep::copies {
std::vector<CellResult> run_cells(std::span<const SweepCell> cells, const SweepOptions& options);
}

namespace politex {
namespace {

namespace fs = std::filesystem;
using interleaved::expect_found;
using interleaved::expect_no_problem;
using interleaved::ModelFleet;
using interleaved::schedule;

class InterleavedSweep : public ::testing::Test {
 protected:
  InterleavedSweep() {
    std::string name = (fs::temp_directory_path() / "politex-cells-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    std::ofstream(root_ / "base.toml") << "steps = 10\n";
    const std::vector<std::uint64_t> first = {1, 2}, second = {3};
    plans_.push_back(plan_sweep(root_ / "base.toml", {}, first));
    plans_.push_back(plan_sweep(root_ / "base.toml", {}, second));
  }
  ~InterleavedSweep() override { fs::remove_all(root_); }

  /// Every rank runs both sweeps, as a tuning does.
  void play(int ranks, bool share) {
    const fs::path directory = root_ / "sweep";
    fs::remove_all(directory);
    fs::create_directories(directory);
    schedule().private_atomics = true;  // every rank has one thread
    std::map<std::uint64_t, int> made;
    ModelFleet fleet(ranks, false);
    fleet.reads_contents = false;
    const auto rank = [&](int number) {
      ModelFleet::Rank mine(fleet, number);
      for (const SweepPlan& plan : plans_) {
        std::vector<SweepCell> cells = plan.cells;
        for (SweepCell& cell : cells) cell.summary_only = true;
        SweepOptions options;
        options.directory = directory;
        options.jobs = 1;
        options.fleet = &mine;
        options.share_results = share;
        options.make = [&](const Config& config) {
          schedule().require(++made[config.seed] == 1, "a cell was run twice");
          return std::make_unique<FakeRun>(config);
        };
        const std::vector<CellResult> results = sweep::copies::run_cells(cells, options);
        for (const CellResult& result : results)
          schedule().require(result.state == CellResult::State::done || (number != 0 && !share), "a cell was not run");
      }
    };
    std::vector<interleaved::thread> others;
    for (int number = 1; number < ranks; ++number) others.emplace_back([&rank, number] { rank(number); });
    rank(0);
    for (interleaved::thread& other : others) other.join();
    schedule().require(made.size() == 3, "a cell is missing");
  }

  fs::path root_;
  std::vector<SweepPlan> plans_;
};

TEST_F(InterleavedSweep, EveryCellIsRunOnce) {
  expect_no_problem("sweep, two ranks", [this] { play(2, true); });
  expect_no_problem("sweep, two ranks, results on rank 0", [this] { play(2, false); });
}

TEST_F(InterleavedSweep, MistakesAreFound) {
  expect_found("counter_is_reset_too_late", [this] { play(2, true); });
  expect_found("cell_is_taken_in_two_steps", [this] { play(2, true); });
}

}  // namespace
}  // namespace politex
