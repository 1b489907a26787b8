#include "politex/studies/control/figure.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "politex/figures/reproduce.hpp"
#include "politex/run/config_io.hpp"

namespace politex {
namespace {

TEST(ControlGrid, EveryConfigurationIsAccepted) {
  for (const bool quick : {false, true}) {
    std::set<std::string> names;
    const auto cells = control_figure().cells({.quick = quick, .out = {}, .command = {}});
    for (const Cell& cell : cells) {
      names.insert(cell.name);
      EXPECT_NO_THROW(config_of(cell)) << cell.name;
    }
    EXPECT_EQ(names.size(), cells.size());
    EXPECT_EQ(cells.size(), quick ? 2u * 4 * 2 : 5u * 4 * 10);
  }
}

TEST(ControlMeasure, IsStepsPerGoalOrFallOrTheCost) {
  for (const ControlProblem& problem : control_problems()) {
    const double expected = problem.measure == "steps per goal"   ? 100.0
                            : problem.measure == "steps per fall" ? 1 / 1.99
                                                                  : 0.99;
    EXPECT_NEAR(control_measure(problem, 0.99), expected, 1e-9) << problem.name;
  }
}

/// The report of finished cells; `cost(i)` is the cost per step of cell i.
FigureReport control_report_of(const FigureOptions& options, const std::function<double(std::size_t)>& cost) {
  Finished finished{.options = options, .cells = control_figure().cells(options), .summaries = {}};
  for (std::size_t i = 0; i < finished.cells.size(); ++i) {
    finished.summaries.push_back(fmt::format(R"({{"average_cost": {0}, "average_cost_last_tenth": {0}}})", cost(i)));
    std::filesystem::create_directories(finished.directory(i));
    std::ofstream(finished.directory(i) / "curve.csv") << "steps,average_cost\n100,0.995\n1000,0.99\n";
  }
  return control_figure().report(finished);
}

TEST(ControlReport, HasAMeanWithAnIntervalPerProblemAndLearnerAndCountsTheSeeds) {
  const auto out = std::filesystem::path(testing::TempDir()) / fmt::format("politex_control_{}", getpid());
  const FigureReport report = control_report_of({.quick = true, .out = out, .command = {}}, [](std::size_t i) {
    return i % 2 == 0 ? 0.99 : 0.992;
  });  // 100 and 125 steps per goal
  EXPECT_NE(report.files.at(0).bytes.find("mountain_car,ee_politex,9201,200000,0.99,0.99,"), std::string::npos);
  ASSERT_EQ(report.claims.size(), 2u);
  ASSERT_EQ(report.claims[0].checks.size(), 1u);
  EXPECT_NE(report.claims[0].checks[0].measured.find("2 of 2 seeds [16%, 100%]; 112.5 [100.0, 125.0] steps per goal"),
            std::string::npos)
      << report.claims[0].checks[0].measured;
  std::filesystem::remove_all(out);
}

TEST(ControlClaim, HoldsWithNineSeedsOfTenAndFailsWithEight) {
  const auto out = std::filesystem::path(testing::TempDir()) / fmt::format("politex_control_claim_{}", getpid());
  for (const std::size_t missed : {1u, 2u}) {
    // The first ten cells are EE-Politex on mountain car: 100 steps per goal, or 1,000 where the target is missed.
    const FigureReport report = control_report_of({.quick = true, .seeds = 10, .out = out, .command = {}},
                                                  [missed](std::size_t i) { return i < missed ? 0.999 : 0.99; });
    EXPECT_EQ(judge(report.claims.at(0)).word, missed == 1 ? "holds" : "fails");
  }
  std::filesystem::remove_all(out);
}

}  // namespace
}  // namespace politex
