// Sweeps and fair tuning, with fake runs.
#include "politex/sweep/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sstream>

#include "base/thread_fleet.hpp"
#include "politex/base/shared_directory.hpp"
#include "politex/base/statistics.hpp"
#include "politex/record/records.hpp"
#include "politex/record/run_record.hpp"
#include "politex/run/config_io.hpp"
#include "politex/sweep/tune.hpp"
#include "run/fake_run.hpp"

namespace politex {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SweepTest : public ::testing::Test {
 protected:
  SweepTest() {
    std::string name = (fs::temp_directory_path() / "politex-sweep-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    std::ofstream(root_ / "base.toml") << "steps = 200\n";
  }
  ~SweepTest() override { fs::remove_all(root_); }

  SweepPlan plan(const std::vector<std::string>& grid, const std::vector<std::uint64_t>& seeds = {1, 2}) const {
    return plan_sweep(root_ / "base.toml", grid, seeds);
  }
  std::string refusal(const std::vector<std::string>& grid) const {
    try {
      plan(grid);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
  // Counts the runs made, and lets those with this eta fail.
  SweepOptions options(const std::string& directory, int jobs, const std::string& failing = "") {
    SweepOptions options;
    options.directory = root_ / directory;
    fs::create_directories(options.directory);
    options.jobs = jobs;
    options.make = [this, failing](const Config& config) {
      const std::lock_guard lock(mutex_);
      ++made_;
      return std::make_unique<FakeRun>(config, config.text("algorithm.eta") == failing ? 100 : -1);
    };
    return options;
  }
  std::vector<std::string> names(const SweepPlan& made) const {
    std::vector<std::string> out;
    for (const SweepCell& cell : made.cells) out.push_back(cell.name);
    return out;
  }

  fs::path root_;
  std::mutex mutex_;
  int made_ = 0;
};

TEST_F(SweepTest, AStoppedRunIsNotCountedAsDone) {
  const SweepPlan made = plan({});
  SweepOptions options = this->options("stopped", 1);
  std::atomic<int> stop = 0;
  ProgressReport last;
  options.stop = &stop;
  options.make = [&](const Config& config) {
    struct Stopping : FakeRun {
      Stopping(const Config& of, std::atomic<int>& flag) : FakeRun(of), stop(flag) {}
      void advance() override {
        FakeRun::advance();
        stop = 15;
      }
      std::atomic<int>& stop;
    };
    return std::make_unique<Stopping>(config, stop);
  };
  options.progress = [&](const ProgressReport& report) { last = report; };
  const std::vector<CellResult> results = run_cells(made.cells, options);
  EXPECT_EQ(results[0].state, CellResult::State::stopped);
  EXPECT_EQ(last.runs_done, 0);
  EXPECT_EQ(last.in_flight, 0);
  EXPECT_LT(last.steps, 200);
  // Rerun: finished runs are not work of this call, and must not shorten its estimated time.
  stop = 0;
  options.make = [](const Config& config) { return std::make_unique<FakeRun>(config); };
  run_cells(std::span(made.cells).first(1), options);
  EXPECT_EQ(last.steps, 200);
  EXPECT_NEAR(last.steps_per_second * last.seconds, 190.0, 1e-6);
}

TEST_F(SweepTest, ACellThatKeepsItsSummaryOnlyIsFoundAgain) {
  SweepPlan made = plan({"eta=0.1,0.2"}, {1});
  for (SweepCell& cell : made.cells) cell.summary_only = true;
  const SweepOptions options = this->options("brief", 2);
  const auto file = [&](std::size_t i, const char* name) {
    return options.directory / "runs" / made.cells[i].name / name;
  };
  for (const CellResult& result : run_cells(made.cells, options)) EXPECT_EQ(result.state, CellResult::State::done);
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(file(0, "summary.json").parent_path()))
    files.insert(entry.path().filename().string());
  EXPECT_EQ(files, (std::set<std::string>{"config.toml", "summary.json"}));
  EXPECT_EQ(made_, 2);
  fs::remove(file(1, "summary.json"));  // as after kill -9
  for (const CellResult& result : run_cells(made.cells, options)) EXPECT_EQ(result.state, CellResult::State::done);
  EXPECT_EQ(made_, 3);
  EXPECT_THAT(summary_word(run_cells(made.cells, options)[1].summary, "signature"), ::testing::SizeIs(16));
}

TEST_F(SweepTest, TheLongestCellsStartFirstWhereTheirCostIsKnown) {
  SweepPlan made = plan({"eta=0.1,0.2,0.3"}, {1});
  const auto order = [&](const char* directory) {
    SweepOptions options = this->options(directory, 1);
    std::vector<std::string> etas;
    options.make = [&etas](const Config& config) {
      etas.push_back(config.text("algorithm.eta"));
      return std::make_unique<FakeRun>(config);
    };
    ProgressReport last;
    options.progress = [&](const ProgressReport& report) { last = report; };
    run_cells(made.cells, options);
    EXPECT_EQ(last.steps, last.total);
    return etas;
  };
  EXPECT_THAT(order("unknown"), ElementsAre("0.1", "0.2", "0.3"));
  made.cells[0].cost_per_step = 2.0;
  made.cells[1].cost_per_step = 1.5;
  made.cells[2].cost_per_step = 7.0;
  EXPECT_THAT(order("known"), ElementsAre("0.3", "0.1", "0.2"));
}

TEST_F(SweepTest, ADamagedCellFailsNobodyElse) {
  const SweepPlan made = plan({"eta=0.1,0.2,0.3,0.4"}, {1});
  const SweepOptions options = this->options("damaged", 2);
  for (const CellResult& result : run_cells(made.cells, options)) EXPECT_EQ(result.state, CellResult::State::done);
  const auto directory = [&](std::size_t i) { return options.directory / "runs" / made.cells[i].name; };
  std::ofstream(directory(0) / "config.toml") << "steps = [[[";
  fs::remove(directory(1) / "config.toml");
  fs::remove(directory(2) / "summary.json");
  fs::create_directory(directory(2) / "summary.json");
  const std::vector<CellResult> again = run_cells(made.cells, options);
  for (const std::size_t i : {0, 1, 2}) {
    EXPECT_EQ(again[i].state, CellResult::State::failed) << i;
    EXPECT_THAT(again[i].message, HasSubstr(i == 2 ? "summary.json" : "config.toml")) << i;
  }
  EXPECT_EQ(again[3].state, CellResult::State::done);
}

TEST_F(SweepTest, AnErrorOfACheckpointIsReportedWithItsRun) {
  const SweepPlan made = plan({}, {1});
  SweepOptions options = this->options("progress", 1);
  std::string said;
  options.say = [&](const std::string& text) { said += text + "\n"; };
  fs::create_directories(options.directory / "runs/seed=1/checkpoint");
  std::ofstream(options.directory / "runs/seed=1/config.toml") << to_toml(made.cells[0].config);
  std::ofstream(options.directory / "runs/seed=1/checkpoint/0000000000000100.checkpoint") << "rubbish";
  EXPECT_EQ(run_cells(made.cells, options)[0].state, CellResult::State::done);
  EXPECT_THAT(said, HasSubstr("seed=1: "));
  EXPECT_THAT(said, HasSubstr("restarting the run from scratch"));
}

TEST_F(SweepTest, TheGridInItsOrderWithSeeds) {
  const SweepPlan made = plan({"eta=0.1,0.2", "explore=3N/4"});
  EXPECT_THAT(
      names(made),
      ElementsAre("algorithm.eta=0.1,schedule.explore=3N_4,seed=1", "algorithm.eta=0.1,schedule.explore=3N_4,seed=2",
                  "algorithm.eta=0.2,schedule.explore=3N_4,seed=1", "algorithm.eta=0.2,schedule.explore=3N_4,seed=2"));
  EXPECT_EQ(made.cells[3].config.text("algorithm.eta"), "0.2");
  EXPECT_EQ(made.cells[3].config.seed, 2u);
}

TEST_F(SweepTest, AKeyWithoutEffectOnACellIsLeftOutThere) {
  const SweepPlan made = plan({"algorithm.name=ee_politex,rlsvi", "prior=1,2"}, {1});
  EXPECT_THAT(names(made),
              ElementsAre("algorithm.name=ee_politex,seed=1", "algorithm.name=rlsvi,algorithm.prior=1.0,seed=1",
                          "algorithm.name=rlsvi,algorithm.prior=2.0,seed=1"));
  EXPECT_THAT(refusal({"prior=1,2"}), HasSubstr("algorithm.prior: has no effect on any run of this sweep"));
}

TEST_F(SweepTest, EveryValueIsCheckedBeforeAnythingRuns) {
  EXPECT_THAT(refusal({"eta=0.1,nan"}), HasSubstr("algorithm.eta: nan"));
  EXPECT_THAT(refusal({"seed=1,2"}), HasSubstr("--seeds"));
  EXPECT_THAT(refusal({"eta="}), HasSubstr("key=v1,v2"));
  EXPECT_THAT(refusal({"eta=1", "algorithm.eta=2"}), HasSubstr("given twice"));
  EXPECT_THAT(refusal({"etta=1"}), HasSubstr("did you mean algorithm.eta?"));
}

TEST_F(SweepTest, LongNamesStayShortAndDistinct) {
  std::ofstream(root_ / "long.toml") << "[environment]\nname = \"finite_mdp\"\n";
  const std::string a(300, 'a');
  const SweepPlan made =
      plan_sweep(root_ / "long.toml", std::vector<std::string>{"environment.file=" + a + "1," + a + "2"},
                 std::vector<std::uint64_t>{1});
  ASSERT_EQ(made.cells.size(), 2u);
  EXPECT_NE(made.cells[0].name, made.cells[1].name);
  EXPECT_LT(made.cells[0].name.size(), 256u);
}

TEST_F(SweepTest, ValuesThatDifferInASlashOnlyAreDifferentRuns) {
  std::ofstream(root_ / "files.toml") << "[environment]\nname = \"finite_mdp\"\n";
  const auto names_of = [&](const std::string& values) {
    std::map<std::string, std::string> by_file;
    for (const SweepCell& cell :
         plan_sweep(root_ / "files.toml", std::vector<std::string>{"environment.file=" + values},
                    std::vector<std::uint64_t>{1})
             .cells)
      by_file[cell.config.text("environment.file")] = cell.name;
    return by_file;
  };
  const auto some = names_of("/w/a.json,/w_a.json,/w/b.json");
  ASSERT_EQ(some.size(), 3u);
  EXPECT_NE(some.at("/w/a.json"), some.at("/w_a.json"));
  EXPECT_EQ(names_of("/w_a.json,/w/b.json,/w/a.json"), some) << "whatever their order";
  // What is alone has the name that it always had.
  EXPECT_EQ(some.at("/w/b.json"), "environment.file=_w_b.json,seed=1");
  EXPECT_EQ(names_of("/w/a.json").at("/w/a.json"), "environment.file=_w_a.json,seed=1");
  const std::string longer(250, 'l');
  const auto longs = names_of("/" + longer + "/a,/" + longer + "_a");
  ASSERT_EQ(longs.size(), 2u);
  EXPECT_NE(longs.begin()->second, longs.rbegin()->second);
  EXPECT_LT(longs.begin()->second.size(), 256u);
}

TEST_F(SweepTest, TheSameBytesForAnyNumberOfJobsAndOnlyWhatIsMissingIsRun) {
  const SweepPlan made = plan({"eta=0.1,0.2,0.3"}, {1, 2, 3, 4});
  const auto one = run_cells(made.cells, options("one", 1));
  const auto three = run_cells(made.cells, options("three", 3));
  EXPECT_EQ(results_csv(made, one), results_csv(made, three));
  EXPECT_EQ(sweep_json("f", made, one), sweep_json("f", made, three));
  EXPECT_EQ(made_, 24);
  fs::remove(root_ / "one/runs" / made.cells[5].name / "summary.json");
  fs::remove_all(root_ / "one/runs" / made.cells[7].name);
  made_ = 0;
  EXPECT_EQ(results_csv(made, run_cells(made.cells, options("one", 2))), results_csv(made, three));
  EXPECT_EQ(made_, 2);
}

TEST_F(SweepTest, OneFailingCellFailsNobodyElse) {
  const SweepPlan made = plan({"eta=0.1,0.2,0.3"});
  const auto results = run_cells(made.cells, options("s", 2, "0.2"));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool fails = made.cells[i].config.text("algorithm.eta") == "0.2";
    EXPECT_EQ(results[i].state, fails ? CellResult::State::failed : CellResult::State::done);
    EXPECT_EQ(results[i].message, fails ? "the fake run fails here" : "");
  }
  const std::string csv = results_csv(made, results);
  EXPECT_THAT(csv, HasSubstr("\n0.2,1,failed,deep_sea,ee_politex,,"));
  EXPECT_THAT(csv, HasSubstr("\n0.3,1,done,deep_sea,ee_politex,200,20,"));
  // Rerun: the failed runs are tried again, and this time none fails.
  made_ = 0;
  for (const CellResult& result : run_cells(made.cells, options("s", 2)))
    EXPECT_EQ(result.state, CellResult::State::done);
  EXPECT_EQ(made_, 2);
}

TEST_F(SweepTest, ACellThatCannotBeMadeLeavesItsReason) {
  const SweepPlan made = plan({"eta=0.1"}, {1});
  SweepOptions how = options("s", 1);
  how.make = [](const Config&) -> std::unique_ptr<politex::Run> {
    throw ConfigError{"algorithm.eta", "is not for this one"};
  };
  EXPECT_EQ(run_cells(made.cells, how)[0].state, CellResult::State::failed);
  EXPECT_EQ(failure_in_log(root_ / "s/runs" / made.cells[0].name / "log.txt"), "algorithm.eta: is not for this one");
  // Mended, the same cell runs in the same directory.
  EXPECT_EQ(run_cells(made.cells, options("s", 1))[0].state, CellResult::State::done);
  EXPECT_EQ(failure_in_log(root_ / "s/runs" / made.cells[0].name / "log.txt"), std::nullopt);
}

TEST_F(SweepTest, AnotherConfigurationInACellsDirectoryIsRefused) {
  run_cells(plan({"eta=0.1"}).cells, options("s", 1));
  std::ofstream(root_ / "base.toml") << "steps = 300\n";
  try {
    run_cells(plan({"eta=0.1"}).cells, options("s", 1));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("steps: 200, 300"));
  }
}

TEST_F(SweepTest, TuningGivesEveryAlgorithmTheSameNumberAndJudgesOnFreshSeeds) {
  SweepPlan made = plan({"algorithm.name=ee_politex,politex", "eta=0.1,0.2,0.3,0.4", "ridge=0.01,0.1"});
  Tuning tuning = plan_tuning(made, 5);
  ASSERT_EQ(tuning.algorithms.size(), 2u);
  EXPECT_EQ(made.cells.size(), 2u * 5u * 2u);
  std::set<std::string> distinct;
  for (const SweepCell& cell : made.cells) distinct.insert(cell.name);
  EXPECT_EQ(distinct.size(), made.cells.size());
  std::string choice;
  const auto results = run_tuning(made, tuning, options("s", 2), [&](std::span<const CellResult> so_far) {
    EXPECT_EQ(made_, 20) << "no fresh run has begun";
    choice = sweep_json("f", made, so_far);
  });
  EXPECT_EQ(results.size(), 24u);
  const auto stages = stages_in(choice);
  EXPECT_EQ(stages.size(), 24u);
  for (const SweepCell& cell : made.cells)
    EXPECT_EQ(stages.at(cell.name), cell.config.seed > 1000 ? "fresh" : "tuning");
  for (const TunedAlgorithm& algorithm : tuning.algorithms) {
    EXPECT_EQ(algorithm.offered, 8);
    ASSERT_EQ(algorithm.tried.size(), 5u);
    ASSERT_GE(algorithm.chosen, 0);
    for (const TriedSetting& tried : algorithm.tried)
      EXPECT_LE(algorithm.tried[static_cast<std::size_t>(algorithm.chosen)].cost.mean, tried.cost.mean);
  }
  EXPECT_THAT(results_csv(made, results), HasSubstr("\nfresh,politex,"));
  EXPECT_THAT(tuning_csv(tuning), HasSubstr(",8,5,"));
  EXPECT_THAT(sensitivity_csv(tuning), HasSubstr("politex,algorithm.ridge,0.1,"));
  const Plot numbers = sensitivity_plot(tuning, "algorithm.eta");
  ASSERT_EQ(numbers.series.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(numbers.series[0].x));
  EXPECT_LE(std::ranges::max(numbers.series[0].x), 0.4);
  for (std::size_t i = 0; i < numbers.series[0].x.size(); ++i) {
    double best = 1e300;  // of the settings that have this eta
    for (const TriedSetting& tried : tuning.algorithms[0].tried)
      if (std::stod(tried.settings[0].second) == numbers.series[0].x[i]) best = std::min(best, tried.cost.mean);
    EXPECT_EQ(numbers.series[0].y[i], best);
  }
  SweepPlan small = plan({"algorithm.name=ee_politex,rlsvi", "eta=0.1,0.2"});
  EXPECT_THROW(plan_tuning(small, 2), ConfigError);  // rlsvi has no eta: one setting only
}

TEST_F(SweepTest, ATuningChoosesHowToSolveATaskNotTheTask) {
  const auto tuning_refusal = [&](const std::vector<std::string>& grid, const std::vector<std::uint64_t>& seeds) {
    SweepPlan made = plan(grid, seeds);
    try {
      plan_tuning(made, 2);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(tuning_refusal({"size=5,10,20", "eta=0.1,0.5"}, {1}),
              AllOf(HasSubstr("environment.size: 5, 10, 20"), HasSubstr("one value")));
  EXPECT_THAT(tuning_refusal({"steps=1000,20000"}, {1}), HasSubstr("steps: 1000, 20000"));
  EXPECT_THAT(tuning_refusal({"environment.name=deep_sea,river_swim", "eta=0.1,0.5"}, {1}),
              HasSubstr("environment.name: deep_sea, river_swim"));
  EXPECT_EQ(tuning_refusal({"size=5,5", "steps=1000", "eta=0.1,0.5"}, {1}), "accepted");
  // The fresh seeds had no part in choosing.
  EXPECT_EQ(tuning_refusal({"eta=0.1,0.5"}, {1, 1000}), "accepted");
  EXPECT_THAT(tuning_refusal({"eta=0.1,0.5"}, {1, 1001}), AllOf(HasSubstr("--seeds: 1001"), HasSubstr("1 to 1000")));
}

TEST_F(SweepTest, ALargerTuningTriesAllThatASmallerOneDid) {
  const std::vector<std::string> grid = {"eta=0.1,0.2,0.3,0.4,0.5", "ridge=0.01,0.1"};
  std::vector<std::string> smaller;
  for (int count = 1; count <= 10; ++count) {
    SweepPlan made = plan(grid);
    plan_tuning(made, count);
    const std::vector<std::string> larger = names(made);
    EXPECT_EQ(larger.size(), 2u * static_cast<std::size_t>(count));
    for (const std::string& name : smaller) EXPECT_THAT(larger, Contains(name)) << count;
    smaller = larger;
  }
}

TEST_F(SweepTest, AllThatWasTriedStaysInTheRecord) {
  const std::vector<std::string> grid = {"eta=0.1,0.2,0.3,0.4,0.5,0.6"};
  const auto tune = [&](int count, const std::map<std::string, std::string>& earlier, const std::string& failing) {
    SweepPlan made = plan(grid);
    Tuning tuning = plan_tuning(made, count);
    keep_earlier(made, tuning, earlier, "s");
    const auto results = run_tuning(made, tuning, options("s", 2, failing));
    return std::pair(sweep_json("f", made, results), tuning.algorithms[0]);
  };
  const auto [first, small] = tune(2, {}, "");
  const auto& chosen = small.tried[static_cast<std::size_t>(small.chosen)];
  // Rerun, the bytes are the same; a larger tuning keeps the earlier judgement in addition to its own.
  EXPECT_EQ(tune(2, stages_in(first), "").first, first);
  fs::remove_all(root_ / "s" / "runs");
  const auto [second, large] = tune(5, stages_in(first), chosen.settings[0].second);
  const auto stages = stages_in(second);
  for (const auto& [name, stage] : stages_in(first)) EXPECT_EQ(stages.at(name), stage) << name;
  EXPECT_EQ(stages.size(), 2u * 5u + 2u * 2u);
  EXPECT_EQ(std::ranges::count(large.tried, true, &TriedSetting::judged), 2);
  EXPECT_NE(large.tried[static_cast<std::size_t>(large.chosen)].settings, chosen.settings);
  // What would drop some of it is refused: fewer settings, fewer seeds, another grid, no tuning at all.
  const auto refused = [&](const std::vector<std::string>& other, const std::vector<std::uint64_t>& seeds, int count) {
    SweepPlan made = plan(other, seeds);
    Tuning tuning;
    if (count > 0) tuning = plan_tuning(made, count);
    try {
      keep_earlier(made, tuning, stages, "s");
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused(grid, {1, 2, 3}, 6), "accepted");
  EXPECT_THAT(refused(grid, {1, 2}, 4), AllOf(HasSubstr("--out: s holds a tuning, and 2 of"), HasSubstr("--tune")));
  EXPECT_THAT(refused(grid, {1}, 5), HasSubstr("5 of its tuning runs"));
  EXPECT_THAT(refused({"ridge=0.1,0.2"}, {1, 2}, 2), HasSubstr("10 of its tuning runs"));
  EXPECT_THAT(refused(grid, {1, 2}, 0), HasSubstr("10 of its tuning runs"));
}

TEST_F(SweepTest, ANameThatIsNotTextIsStillTheSameRun) {
  const fs::path file = root_ / "\xff.json";
  std::ofstream(file) << "{}";
  std::ofstream(root_ / "files.toml") << "steps = 200\n[environment]\nname = \"finite_mdp\"\n";
  const auto tuned = [&](const std::map<std::string, std::string>& earlier) {
    SweepPlan made =
        plan_sweep(root_ / "files.toml", std::vector<std::string>{"environment.file=" + file.string(), "eta=0.1,0.2"},
                   std::vector<std::uint64_t>{1});
    Tuning tuning = plan_tuning(made, 2);
    keep_earlier(made, tuning, earlier, "s");
    if (earlier.empty()) run_tuning(made, tuning, options("s", 1));
    return stages_in(sweep_json("f", made, {}));
  };
  const auto stages = tuned({});
  EXPECT_EQ(stages.size(), 3u);
  EXPECT_EQ(tuned(stages), stages);
}

TEST_F(SweepTest, AStoppedTuningChoosesNothingAndReportsWhatWasJudgedBefore) {
  SweepPlan made = plan({"eta=0.1,0.2"});
  Tuning tuning = plan_tuning(made, 2);
  run_tuning(made, tuning, options("s", 2));
  const auto stages = stages_in(sweep_json("f", made, {}));
  fs::remove_all(root_ / "s" / "runs" / made.cells[0].name);
  SweepPlan again = plan({"eta=0.1,0.2"});
  Tuning stopped = plan_tuning(again, 2);
  keep_earlier(again, stopped, stages, "s");
  EXPECT_EQ(names(again), names(made));
  SweepOptions how = options("s", 2);
  const std::atomic<int> stop = 15;
  how.stop = &stop;
  const auto results = run_tuning(again, stopped, how, [](auto) { ADD_FAILURE() << "nothing can be chosen"; });
  EXPECT_FALSE(stopped.decided);
  EXPECT_EQ(std::ranges::count(results, CellResult::State::stopped, &CellResult::state), 1);
  EXPECT_EQ(results.back().state, CellResult::State::done);
}

// A setting that cannot be run would fail again. A lack of memory or a full disk passes, and the setting that it hit
// may be the best.
TEST_F(SweepTest, ATuningChoosesOnlyWhenNoRunFailedForAReasonThatMayPass) {
  struct WithoutMemory : FakeRun {
    using FakeRun::FakeRun;
    void advance() override { throw std::bad_alloc(); }
  };
  const auto tuned = [&](const SweepOptions& how, bool decides) {
    SweepPlan made = plan({"eta=0.1,0.2,0.3"});
    Tuning tuning = plan_tuning(made, 3);
    bool chose = false;
    const auto results = run_tuning(made, tuning, how, [&](auto) { chose = true; });
    EXPECT_EQ(chose, decides);
    EXPECT_EQ(tuning.decided, decides);
    EXPECT_EQ(std::ranges::count_if(results, failed_for_now), decides ? 0 : 1);
    return results_csv(made, results) + (decides ? tuning_csv(tuning) : "");
  };
  const std::string whole = tuned(options("whole", 1, "0.2"), true);
  EXPECT_THAT(whole, HasSubstr("0.2,1,failed"));
  SweepOptions how = options("disturbed", 1, "0.2");
  const auto make = how.make;
  how.make = [&](const Config& config) -> std::unique_ptr<politex::Run> {
    if (config.text("algorithm.eta") == "0.3" && config.seed == 2) return std::make_unique<WithoutMemory>(config);
    return make(config);
  };
  tuned(how, false);
  how.make = make;
  EXPECT_EQ(tuned(how, true), whole);

  // A file where the directory of a run must be made.
  const std::string name = plan({"eta=0.1,0.2,0.3"}).cells[0].name;
  SweepOptions blocked = options("blocked", 1, "0.2");
  fs::create_directories(root_ / "blocked/runs");
  std::ofstream(root_ / "blocked/runs" / name) << "in the way";
  tuned(blocked, false);
  fs::remove(root_ / "blocked/runs" / name);
  EXPECT_EQ(tuned(blocked, true), whole);
}

TEST_F(SweepTest, SensitivityToWordsIsEvenlySpacedAndLeavesOutFailedSettings) {
  SweepPlan made = plan({"visits=every,one,first", "eta=0.1,0.2"});
  Tuning tuning = plan_tuning(made, 6);
  run_tuning(made, tuning, options("s", 2, "0.2"));
  const Plot words = sensitivity_plot(tuning, "algorithm.visits");
  ASSERT_EQ(words.series.size(), 1u);
  EXPECT_THAT(words.series[0].x, ElementsAre(0.0, 1.0, 2.0));
  EXPECT_EQ(words.x_ticks[2].label, "first");
  EXPECT_FALSE(words.log_x);
  EXPECT_TRUE(sensitivity_plot(tuning, "algorithm.eta").series.empty());  // one value is not a curve
  EXPECT_THAT(sensitivity_csv(tuning), HasSubstr("ee_politex,algorithm.eta,0.2,0,,\n"));
}

TEST_F(SweepTest, RanksShareTheCellsAndRankZeroHasTheResults) {
  const SweepPlan made = plan({"eta=0.1,0.2,0.3"}, {1, 2, 3, 4});
  const std::string expected = results_csv(made, run_cells(made.cells, options("one", 1)));
  for (const int ranks : {1, 2, 5}) {
    made_ = 0;
    const std::string directory = "fleet" + std::to_string(ranks);
    std::vector<std::string> results(static_cast<std::size_t>(ranks));
    ThreadFleet fleet(ranks);
    fleet.run([&](Fleet& rank) {
      SweepOptions how = options(directory, 2);
      how.fleet = &rank;
      how.share_results = ranks == 5;
      results[static_cast<std::size_t>(rank.rank())] = results_csv(made, run_cells(made.cells, how));
    });
    EXPECT_EQ(made_, 12) << "each cell once";
    EXPECT_EQ(results.front(), expected);
    if (ranks == 5) {
      EXPECT_EQ(results.back(), expected);
    }
  }
}

TEST_F(SweepTest, RanksChooseAlike) {
  const auto tuned = [&](const SweepOptions& how) {
    SweepPlan made = plan({"eta=0.1,0.2,0.3"});
    Tuning tuning = plan_tuning(made, 2);
    const auto results = run_tuning(made, tuning, how);
    return results_csv(made, results) + tuning_csv(tuning);
  };
  const std::string expected = tuned(options("one", 1));
  std::vector<std::string> found(3);
  ThreadFleet fleet(3);
  fleet.run([&](Fleet& rank) {
    SweepOptions how = options("three", 1);
    how.fleet = &rank;
    how.share_results = true;
    found[static_cast<std::size_t>(rank.rank())] = tuned(how);
  });
  EXPECT_THAT(found, Each(expected));
}

TEST_F(SweepTest, AFailureOnOneRankIsReportedByRankZero) {
  const SweepPlan made = plan({"eta=0.1,0.2"});
  ThreadFleet fleet(3);
  std::vector<CellResult> all;
  fleet.run([&](Fleet& rank) {
    SweepOptions how = options("s", 1, "0.2");
    how.fleet = &rank;
    const auto results = run_cells(made.cells, how);
    if (rank.rank() == 0) all = results;
  });
  EXPECT_EQ(all[0].state, CellResult::State::done);
  EXPECT_EQ(all[3].state, CellResult::State::failed);
  EXPECT_EQ(all[3].message, "the fake run fails here");
}

TEST(Together, OneRanksFailureEndsAll) {
  ThreadFleet fleet(4);
  fleet.run([](Fleet& rank) {
    together(&rank, [&] {
      if (rank.rank() == 2) throw ConfigError{"file", "is not there"};
    });
  });
  EXPECT_EQ(fleet.problem(0), "rank 2: file: is not there");
  for (const int other : {1, 2, 3}) EXPECT_EQ(fleet.problem(other), "dismissed");
  fleet.run([](Fleet& rank) {
    together(&rank, [&] {
      if (rank.rank() != 3) throw Error("no memory");
    });
  });
  EXPECT_EQ(fleet.problem(0), "no memory") << "its own comes first";
  fleet.run([](Fleet& rank) { together(&rank, [] {}); });
  for (const int rank : {0, 1, 2, 3}) EXPECT_EQ(fleet.problem(rank), "");
}

TEST(Together, TextsMustBeTheSame) {
  ThreadFleet fleet(3);
  fleet.run(
      [](Fleet& rank) { require_same(&rank, "configuration", rank.rank() == 1 ? "a\nb = 2\nc" : "a\nb = 1\nc"); });
  EXPECT_THAT(fleet.problem(0), HasSubstr("configuration: rank 1 has \"b = 2\", rank 0 has \"b = 1\""));
  EXPECT_EQ(fleet.problem(1), "dismissed");
  fleet.run([](Fleet& rank) { require_same(&rank, "configuration", "a"); });
  EXPECT_EQ(fleet.problem(0), "");
}

TEST_F(SweepTest, RanksMustSeeTheSameDirectory) {
  ThreadFleet fleet(3);
  fleet.run([&](Fleet& rank) { require_shared_directory(&rank, rank.rank() == 2 ? root_ / "elsewhere" : root_); });
  EXPECT_THAT(fleet.problem(0), HasSubstr("rank 2: --out: " + (root_ / "elsewhere").string()));
  EXPECT_EQ(fleet.problem(1), "dismissed");
  fleet.run([&](Fleet& rank) { require_shared_directory(&rank, root_); });
  EXPECT_EQ(fleet.problem(0), "");
  for (const auto& entry : fs::directory_iterator(root_))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".shared"));
}

}  // namespace
}  // namespace politex
