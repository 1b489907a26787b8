#include "politex/evaluate/log_evaluation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/coverage.hpp"
#include "politex/base/error.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

std::vector<LogRow> log_of(const FiniteModel& model, const PolicyTable& policy, int steps, std::uint64_t seed) {
  const TableEnvironment environment(model);
  Rng rng(seed);
  int state = model.start;
  std::vector<LogRow> out;
  for (int t = 0; t < steps; ++t) {
    LogRow row{.state = state, .action = policy.sample(state, rng)};
    row.cost = environment.step(state, row.action, rng).cost;
    row.next = state;
    out.push_back(row);
  }
  return out;
}

double exact_gain_of(const FiniteModel& model, const PolicyTable& policy) {
  return exact::evaluate(model, policy.probabilities()).gain[static_cast<std::size_t>(model.start)];
}

/// Right with probability .8 everywhere.
PolicyTable mostly_right(const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  std::vector<double> p;
  for (int x = 0; x < model.states; ++x) p.insert(p.end(), {0.2, 0.8});
  table.set(p);
  return table;
}

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

/// Logs of one policy on one environment, each cut at several lengths: how often the intervals of another policy and of
/// the difference from the logging one cover the exact gains. What is refused does not count.
struct LogLengths {
  std::vector<int> lines;
  std::vector<Coverage> average{lines.size()}, difference{lines.size()};

  void play(const FiniteModel& model, const PolicyTable& behaviour, const PolicyTable& target, const Seeds& seeds) {
    const double truth = exact_gain_of(model, target), change = truth - exact_gain_of(model, behaviour);
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
      const auto log = log_of(model, behaviour, lines.back(), seed);
      for (std::size_t k = 0; k < lines.size(); ++k) try {
          const Comparison found =
              evaluate_log({log.begin(), log.begin() + lines[k]}, "log.csv", target, &behaviour, 0.05);
          average[k].add(found.policy.interval, truth);
          difference[k].add(found.difference->interval, change);
          ASSERT_EQ(found.policy.method, "marginalised_ratios");
        } catch (const ConfigError& error) {
          ASSERT_THAT(error.what(), HasSubstr("does not cover"));
        }
    }
  }
  void expect_enough() const {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      ::testing::Test::RecordProperty(
          "lines_" + std::to_string(lines[k]),
          ::testing::PrintToString(average[k]) + ", difference " + ::testing::PrintToString(difference[k]));
      EXPECT_TRUE(average[k].is_enough(400)) << lines[k] << " lines: " << average[k];
      EXPECT_TRUE(difference[k].is_enough(400)) << lines[k] << " lines, difference: " << difference[k];
    }
  }
};

// With POLITEX_COVERAGE=25 (.ci/run nightly) 2,500 logs.
TEST(LogEvaluation, IntervalsCoverExactGains) {
  const FiniteModel model = make_model(default_config("river_swim"));
  LogLengths found{.lines = {2'000, 5'000, 10'000, 20'000, 40'000}};
  found.play(model, PolicyTable(model.states, model.actions), mostly_right(model), Seeds(100));
  found.expect_enough();
  EXPECT_EQ(found.average.back().accepted, Seeds(100).count());
}

// Many states with random costs, of which short logs have few lines each.
TEST(LogEvaluation, IntervalsCoverExactGainsOnRandomEnvironments) {
  Config config = default_config("garnet");
  const FiniteModel model = make_model(config);
  PolicyTable target(model.states, model.actions);
  std::vector<double> p(static_cast<std::size_t>(model.pairs()), 0.3 / (model.actions - 1));
  for (int x = 0; x < model.states; ++x) p[static_cast<std::size_t>(model.pair(x, x % model.actions))] = 0.7;
  target.set(p);
  LogLengths found{.lines = {2'000, 5'000, 10'000, 20'000}};
  found.play(model, PolicyTable(model.states, model.actions), target, Seeds(100));
  found.expect_enough();
  EXPECT_EQ(found.average.back().accepted, Seeds(100).count());
}

TEST(LogEvaluation, RefusesWhatTheLogDoesNotCover) {
  const FiniteModel model = make_model(default_config("river_swim"));
  PolicyTable left(model.states, model.actions), right(model.states, model.actions);
  left.set_always(0);
  right.set_always(1);
  const auto log = log_of(model, left, 1000, 1);
  EXPECT_THAT(message([&] { evaluate_log(log, "log.csv", right, nullptr, 0.05); }),
              HasSubstr("log.csv does not cover the policy: it has no line with action 1 in state"));
  const PolicyTable uniform(model.states, model.actions);
  const auto brief = log_of(model, uniform, 60, 1);
  EXPECT_THAT(message([&] { evaluate_log(brief, "log.csv", uniform, nullptr, 0.05); }), HasSubstr("does not cover"));
}

TEST(LogFile, ReadsColumnsInAnyOrder) {
  const auto rows =
      parse_log("cost,next,state,note,action,propensity\n-1.5,2, 0,x,1,0.25\r\n0,1,2,y,0,1\n", "a.csv", 3, 2);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].state, 0);
  EXPECT_EQ(rows[0].action, 1);
  EXPECT_EQ(rows[0].next, 2);
  EXPECT_EQ(rows[0].cost, -1.5);
  EXPECT_EQ(parse_log("state,action,cost,next\n0,0,1,0\n", "a.csv", 1, 1).size(), 1U);
}

TEST(LogFile, NamesFileAndLineOfWhatItRefuses) {
  const auto refused = [](const std::string& line) {
    return message([&] { parse_log("state,action,cost,next,propensity\n0,0,1,1,0.5\n" + line, "a.csv", 3, 2); });
  };
  EXPECT_THAT(refused("0,0,1,1,0\n"), HasSubstr("a.csv:3: propensity \"0\"; accepted: above 0"));
  EXPECT_THAT(refused("0,0,1,1,1.5\n"), HasSubstr("a.csv:3: propensity \"1.5\""));
  EXPECT_THAT(refused("0,0,abc,1,1\n"), HasSubstr("a.csv:3: cost \"abc\" is not a number"));
  EXPECT_THAT(refused("0,0,nan,1,1\n"), HasSubstr("a.csv:3: cost \"nan\""));
  EXPECT_THAT(refused("3,0,1,1,1\n"), HasSubstr("a.csv:3: state \"3\" is out of range; accepted: 0 to 2"));
  EXPECT_THAT(refused("0,2,1,1,1\n"), HasSubstr("a.csv:3: action \"2\" is out of range; accepted: 0 to 1"));
  EXPECT_THAT(refused("0,0,1,-1,1\n"), HasSubstr("a.csv:3: next \"-1\" is out of range"));
  EXPECT_THAT(refused("0,0,1\n"), HasSubstr("a.csv:3: 3 values, but the first line has 5 columns"));
  EXPECT_THAT(message([] { parse_log("state,action,next\n", "a.csv", 1, 1); }), HasSubstr("no column \"cost\""));
  EXPECT_THAT(message([] { parse_log("", "a.csv", 1, 1); }), HasSubstr("a.csv: is empty"));
  EXPECT_THAT(message([] { parse_log("state,action,cost,next\n", "a.csv", 1, 1); }), HasSubstr("no lines"));
  EXPECT_THAT(message([] { read_log("/nonexistent.csv", 1, 1); }), HasSubstr("/nonexistent.csv"));
}

}  // namespace
}  // namespace politex
