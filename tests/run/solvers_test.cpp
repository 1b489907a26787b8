// algorithm.solver in whole runs: which solver was used is reported, and a run that was stopped in the middle continues
// with the same bits, with every solver, learner and path.
#include "politex/run/run.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "politex/base/error.hpp"
#include "politex/run/config_io.hpp"
#include "politex/run/summary.hpp"
#include "politex/solvers/regression.hpp"
#include "politex/solvers/td_equations.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

struct SolvingLearner {
  const char* name;
  std::vector<std::string> settings;
  bool temporal_differences;
};

const std::vector<SolvingLearner>& solving_learners() {
  static const std::vector<SolvingLearner> all = {
      {"ee_politex", {"schedule.explore=10", "explorer.name=uniform", "algorithm.baseline=state"}, false},
      {"ee_politex",
       {"algorithm.estimator=lspe", "algorithm.ridge=1", "schedule.explore=10", "explorer.name=uniform"},
       true},
      {"lspi", {"algorithm.ridge=1"}, true},
      {"rlsvi", {}, false}};
  return all;
}

/// 12 phases of 200 steps with 4 tilings; the coarse tolerance makes results depend on where a solver starts.
Config solving_config(const SolvingLearner& learner, const std::string& solver, bool compiled) {
  std::vector<std::string> settings = {
      std::string("algorithm.name=") + learner.name,
      "algorithm.solver=" + solver,
      "algorithm.tolerance=0.01",
      "steps=2400",
      "seed=5",
      "schedule.rollouts=2",
      std::string("schedule.follow=") + (learner.name == std::string("ee_politex") ? "89" : "100"),
      "features.name=tiles",
      "features.tilings=4",
      std::string("features.tiles=") + (compiled ? "5" : "3"),
      std::string("algorithm.path=") + (compiled ? "compiled" : "generic"),
      std::string("environment.name=") + (compiled ? "rooms" : "cartpole_balance")};
  settings.insert(settings.end(), learner.settings.begin(), learner.settings.end());
  std::vector<Assignment> assignments;
  for (const std::string& text : settings) assignments.push_back(parse_override(text));
  return build_config(assignments).config;
}

std::vector<std::byte> state_of(const Run& run) {
  ByteWriter writer;
  run.save(writer);
  return writer.bytes();
}

TEST(Solvers, AStoppedRunContinuesWithTheSameBits) {
  for (const SolvingLearner& learner : solving_learners())
    for (const char* solver : {"auto", "direct", "sparse", "dual", "iterative"})
      for (const bool compiled : {false, true}) {
        if (learner.temporal_differences && solver == std::string("dual")) continue;
        SCOPED_TRACE(fmt::format("{} {} {}", learner.name, solver, compiled));
        const Config config = solving_config(learner, solver, compiled);
        const auto whole = make_run(config);
        std::vector<std::byte> middle;
        while (!whole->done()) {
          whole->advance();
          if (whole->summary().phases == 5) middle = state_of(*whole);
        }
        const auto resumed = make_run(config);
        ByteReader reader(middle);
        resumed->restore(reader);
        EXPECT_TRUE(reader.empty());
        EXPECT_EQ(resumed->steps_done(), 1000);
        while (!resumed->done()) resumed->advance();
        EXPECT_EQ(state_of(*resumed), state_of(*whole));
        EXPECT_EQ(summary_json(resumed->summary()), summary_json(whole->summary()));
      }
}

TEST(Solvers, TheStartOfAnIterativeSolverIsInItsBits) {
  // Otherwise the test above would not show that the last weights are in the checkpoint.
  const std::vector<std::vector<std::int32_t>> columns = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
  const std::vector<double> ones = {1.0, 1.0};
  const auto solved_from = [&](double start, bool temporal_differences) {
    const SolverOptions options{.solver = Solver::iterative, .tolerance = 0.01};
    std::vector<double> w(4, start);
    Regression regression({.blocks = 1, .width = 4, .exclusive = 0}, options);
    TdEquations equations(4, TdEquations::Average::given, options);
    for (std::size_t r = 0; r < columns.size(); ++r) {
      const FeatureRow row{0, columns[r], ones}, next{0, columns[(r + 1) % 4], ones};
      regression.add(row, 1.0, static_cast<double>(r));
      equations.add_own(row, 1.0);
      equations.add_next(row, next, 0.5);
      equations.add_target(row, static_cast<double>(r));
    }
    if (temporal_differences)
      equations.solve(TdSolve::ridge, 1.0, w);
    else
      regression.solve(1.0, w);
    return w;
  };
  for (const bool temporal_differences : {false, true})
    EXPECT_NE(solved_from(0.0, temporal_differences), solved_from(0.7, temporal_differences));
}

TEST(Solvers, TheSummarySaysWhichWereUsed) {
  for (const SolvingLearner& learner : solving_learners())
    for (const char* solver : {"direct", "sparse", "dual", "iterative"}) {
      if (learner.temporal_differences && solver == std::string("dual")) continue;
      SCOPED_TRACE(fmt::format("{} {}", learner.name, solver));
      const auto run = make_run(solving_config(learner, solver, false));
      while (!run->done()) run->advance();
      const Summary summary = run->summary();
      const auto json = nlohmann::json::parse(summary_json(summary))["solver"];
      ASSERT_EQ(json["systems"].size(), 1u) << json;
      // One system per phase (temporal differences), or per phase and action; the baseline has one more.
      const std::int64_t each = learner.temporal_differences ? 1 : learner.name == std::string("ee_politex") ? 3 : 2;
      // The first phases may not take every action.
      const std::int64_t systems = json["systems"][solver];
      EXPECT_LE(systems, 12 * each);
      EXPECT_GE(systems, 12 * each - 2);
      const bool iterative = solver == std::string("iterative");
      EXPECT_EQ(json["iterations"] > 0, iterative);
      if (iterative) {
        EXPECT_GT(json["residual"], 0.0);
        EXPECT_LE(json["residual"], 0.01);
      } else {
        EXPECT_TRUE(json["residual"].is_null());
      }
      EXPECT_THAT(summary_text(summary),
                  HasSubstr(fmt::format("\nsolver             {} ({} systems)", solver, systems)));
    }
}

TEST(Solvers, AutoSaysWhichItTook) {
  // 81 columns of a tiling are exclusive, 243 are coupled: dense equations; 16 tilings of 4^4 are 4096 columns.
  Config config = solving_config(solving_learners()[0], "auto", false);
  const auto few = make_run(config);
  while (!few->done()) few->advance();
  EXPECT_THAT(solver_text(*few->summary().solver), HasSubstr("direct (36 systems)"));
  config.set("features.tilings", std::int64_t{16});
  config.set("features.tiles", std::int64_t{4});
  const auto many = make_run(config);
  while (!many->done()) many->advance();
  const Solved solved = *many->summary().solver;
  EXPECT_EQ(solved.by(Solver::automatic), 0);
  EXPECT_EQ(
      solved.by(Solver::direct) + solved.by(Solver::sparse) + solved.by(Solver::dual) + solved.by(Solver::iterative),
      36);
  EXPECT_GT(solved.by(Solver::dual) + solved.by(Solver::sparse) + solved.by(Solver::iterative), 0);
}

TEST(Solvers, LearnersWithoutTheKeySayNothing) {
  Config config = default_config("river_swim");
  config.set("algorithm.name", std::string("auto"));
  config.steps = 500;
  const auto run = make_run(config);
  while (!run->done()) run->advance();
  EXPECT_FALSE(nlohmann::json::parse(summary_json(run->summary())).contains("solver"));
}

TEST(Solvers, OnlyKeysOfTheSolverMayDifferOnResume) {
  const Config one = solving_config(solving_learners()[0], "iterative", false);
  Config other = one;
  other.set("algorithm.solver", std::string("sparse"));
  other.set("algorithm.tolerance", 0.001);
  other.set("algorithm.eta", 0.2);
  EXPECT_EQ(differences(one, other).size(), 3u);
  EXPECT_THAT(differences(one, other, Compared::other_keys), ::testing::ElementsAre(HasSubstr("algorithm.eta")));
  EXPECT_EQ(differences(one, other, Compared::solver_keys).size(), 2u);
}

}  // namespace
}  // namespace politex
