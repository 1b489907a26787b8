// algorithm.solver with the real program: a solver that does not converge, another one on resume, and sweeps on any
// number of threads.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace politex::cli {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class SolverTest : public ProgramTest {
 protected:
  std::string config() {
    return given("solver.toml",
                 "steps = 3000\nseed = 3\n[environment]\nname = \"mountain_car\"\n[algorithm]\nname = \"rlsvi\"\n"
                 "solver = \"iterative\"\ntolerance = 1e-10\nsolver_iterations = 40\n"
                 "[schedule]\nrollouts = 1\nfollow = 50\n[features]\nname = \"tiles\"\ntilings = 4\ntiles = 6\n");
  }
  /// The progress and the summaries, without times, of a sweep.
  std::map<std::string, std::string> results(const std::string& sweep) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(work_ / sweep)) {
      const std::string name = entry.path().lexically_relative(work_ / sweep).string();
      if (entry.path().filename() == "progress.csv") all[name] = text_of(entry.path());
      if (entry.path().filename() != "summary.json") continue;
      Json json = Json::parse(text_of(entry.path()));
      json.erase("seconds");
      json.erase("steps_per_second");
      all[name] = json.dump();
    }
    return all;
  }
};

TEST_F(SolverTest, WhatDoesNotConvergeStopsTheRunAndResumesWithAnotherSolver) {
  const Ended ended = run({"run", config(), "--out", "a", "--quiet", "--checkpoint-seconds", "0"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err,
              HasSubstr("the least squares did not converge: after 40 iterations the relative residual is "));
  EXPECT_THAT(ended.err, HasSubstr("algorithm.tolerance is 1e-10; increase algorithm.ridge, algorithm.tolerance or "
                                   "algorithm.solver_iterations, or use algorithm.solver = \"sparse\""));
  EXPECT_THAT(ended.err, HasSubstr("politex run --resume a algorithm.solver=sparse"));
  EXPECT_FALSE(fs::exists(work_ / "a/summary.json"));
  EXPECT_FALSE(fs::is_empty(work_ / "a/checkpoint"));
  EXPECT_THAT(text_of(work_ / "a/log.txt"), HasSubstr("failed: the least squares did not converge"));

  // The same solver fails again, from the checkpoint; what is not of the solver is fixed.
  EXPECT_EQ(run({"run", "--resume", "a", "--quiet"}).status, 1);
  const Ended refused = run({"run", "--resume", "a", "algorithm.solver=sparse", "algorithm.noise=2"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("algorithm.noise: 1.0, 2.0"));
  EXPECT_FALSE(fs::is_empty(work_ / "a/checkpoint"));

  const Ended resumed = run({"run", "--resume", "a", "algorithm.solver=sparse", "--quiet"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("resumed with another solver (checkpoint, now): algorithm.solver: "));
  EXPECT_THAT(resumed.out, HasSubstr("\nsolver             sparse ("));
  EXPECT_THAT(resumed.out, HasSubstr("), iterative ("));
  const Json systems = Json::parse(text_of(work_ / "a/summary.json"))["solver"]["systems"];
  EXPECT_GT(systems["iterative"], 0);
  EXPECT_GT(systems["sparse"], 0);
  // One per phase and action; the first phases do not take every action.
  const int all = systems["iterative"].get<int>() + systems["sparse"].get<int>();
  EXPECT_LE(all, 3 * 3000 / 50);
  EXPECT_GE(all, 3 * 3000 / 50 - 10);
  EXPECT_THAT(text_of(work_ / "a/config.toml"), HasSubstr("solver = \"sparse\""));
  EXPECT_THAT(text_of(work_ / "a/log.txt"), HasSubstr("solver: sparse ("));
  EXPECT_EQ(run({"run", "--resume", "a", "algorithm.solver=iterative"}).status, 2);
}

TEST_F(SolverTest, SweepsGiveTheSameBytesOnAnyNumberOfThreads) {
  const std::string file =
      given("sweep.toml",
            "steps = 1200\n[environment]\nname = \"cartpole_balance\"\n[algorithm]\ntolerance = 0.01\n"
            "[schedule]\nrollouts = 2\nfollow = 50\n[features]\nname = \"tiles\"\ntilings = 4\ntiles = 3\n");
  const std::string all = "algorithm.solver=auto,direct,sparse,dual,iterative";
  const std::string td = "algorithm.solver=auto,direct,sparse,iterative";
  const std::vector<std::vector<std::string>> grids = {{"algorithm.name=ee_politex,rlsvi", all},
                                                       {"algorithm.name=lspi", td},
                                                       {"algorithm.name=politex", "algorithm.estimator=lspe", td}};
  std::size_t runs = 0;
  for (std::size_t g = 0; g < grids.size(); ++g) {
    for (const char* jobs : {"1", "2"}) {
      std::vector<std::string> arguments = {"sweep", file};
      arguments.insert(arguments.end(), grids[g].begin(), grids[g].end());
      arguments.insert(arguments.end(), {"--seeds", "2", "--jobs", jobs, "--out", std::to_string(g) + jobs});
      const Ended ended = run(arguments);
      ASSERT_EQ(ended.status, 0) << ended.err;
    }
    const auto one = results(std::to_string(g) + "1"), two = results(std::to_string(g) + "2");
    EXPECT_EQ(one, two);
    runs += one.size();
  }
  EXPECT_EQ(runs, 2u * 2u * (10 + 4 + 4));
}

}  // namespace
}  // namespace politex::cli
