// Fitted Q from logs against exact gains.
#include "politex/evaluate/fitted_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluate/coverage.hpp"
#include "politex/base/error.hpp"
#include "politex/env/table_environment.hpp"
#include "politex/evaluate/log_evaluation.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/run/config.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

using ::testing::HasSubstr;

struct Logged {
  std::vector<LogRow> rows;
  FittedLog fitted;
};

/// One indicator per pair: Q is linear in them.
Logged indicator_log(const FiniteModel& model, const PolicyTable& behaviour, int steps, std::uint64_t seed) {
  const TableEnvironment environment(model);
  Rng rng(seed);
  int state = model.start;
  Logged out;
  const auto pairs = static_cast<std::size_t>(model.pairs());
  out.fitted.width = pairs;
  for (int t = 0; t < steps; ++t) {
    LogRow row{.state = state, .action = behaviour.sample(state, rng)};
    row.cost = environment.step(state, row.action, rng).cost;
    row.next = state;
    out.rows.push_back(row);
    out.fitted.taken.resize(out.fitted.taken.size() + pairs, 0.0);
    out.fitted.taken[out.fitted.taken.size() - pairs + static_cast<std::size_t>(model.pair(row.state, row.action))] =
        1.0;
    out.fitted.cost.push_back(row.cost);
  }
  return out;
}

std::vector<double> next_features(const Logged& log, const FiniteModel& model, const PolicyTable& policy) {
  std::vector<double> next;
  for (const LogRow& row : log.rows) {
    const std::size_t begin = next.size();
    next.resize(begin + log.fitted.width, 0.0);
    for (int a = 0; a < model.actions; ++a)
      next[begin + static_cast<std::size_t>(model.pair(row.next, a))] =
          policy.probabilities(row.next)[static_cast<std::size_t>(a)];
  }
  return next;
}

PolicyTable rather_right(const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  std::vector<double> p;
  for (int x = 0; x < model.states; ++x) p.insert(p.end(), {0.2, 0.8});
  table.set(p);
  return table;
}

// With indicators the fitted Q is the model of the counts, so both methods give the same number.
TEST(FittedLog, WithIndicatorsItIsTheMethodOfTheCounts) {
  const FiniteModel model = make_model(default_config("river_swim"));
  const PolicyTable uniform(model.states, model.actions), target = rather_right(model);
  const Logged log = indicator_log(model, uniform, 20'000, 1);
  const LogEstimate fitted = fit_log(log.fitted, next_features(log, model, target), "log.csv");
  const Comparison counted = evaluate_log(log.rows, "log.csv", target, nullptr, 0.05);
  EXPECT_NEAR(fitted.gain, counted.policy.interval.mean, 1e-5);
  const Comparison found = compare_estimates(fitted, nullptr, "fitted_q", 0.05);
  // The two variances are estimated in different ways: the intervals agree to a twentieth of their width.
  const double width = counted.policy.interval.high - counted.policy.interval.low;
  EXPECT_NEAR(found.policy.interval.low, counted.policy.interval.low, 0.05 * width);
  EXPECT_EQ(found.policy.method, "fitted_q");
}

/// Goes right often enough that short logs have every state.
PolicyTable somewhat_right(const FiniteModel& model) {
  PolicyTable table(model.states, model.actions);
  std::vector<double> p;
  for (int x = 0; x < model.states; ++x) p.insert(p.end(), {0.35, 0.65});
  table.set(p);
  return table;
}

FittedLog first_lines(const FittedLog& log, std::size_t lines) {
  return {.width = log.width,
          .taken = {log.taken.begin(), log.taken.begin() + static_cast<std::ptrdiff_t>(lines * log.width)},
          .cost = {log.cost.begin(), log.cost.begin() + static_cast<std::ptrdiff_t>(lines)}};
}

// With POLITEX_COVERAGE=25 (.ci/run nightly) 2,000 logs, each cut at several lengths. What is refused does not count.
TEST(FittedLog, IntervalsCoverExactGains) {
  const FiniteModel model = make_model(default_config("river_swim"));
  const PolicyTable behaviour = somewhat_right(model), target = rather_right(model);
  const auto gain_of = [&](const PolicyTable& policy) {
    return exact::evaluate(model, policy.probabilities()).gain[0];
  };
  const double truth = gain_of(target), change = truth - gain_of(behaviour);
  const std::vector<std::size_t> lines = {700, 1'500, 4'000};
  std::vector<Coverage> average(lines.size()), difference(lines.size());
  const Seeds seeds(80);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Logged log = indicator_log(model, behaviour, static_cast<int>(lines.back()), seed);
    const auto next = next_features(log, model, target), kept = next_features(log, model, behaviour);
    for (std::size_t k = 0; k < lines.size(); ++k) try {
        const FittedLog cut = first_lines(log.fitted, lines[k]);
        const LogEstimate other = fit_log(cut, kept, "log.csv");
        const Comparison found = compare_estimates(fit_log(cut, next, "log.csv"), &other, "", 0.05);
        average[k].add(found.policy.interval, truth);
        difference[k].add(found.difference->interval, change);
      } catch (const ConfigError& error) {
        ASSERT_THAT(error.what(), HasSubstr("does not cover"));
      }
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    RecordProperty("lines_" + std::to_string(lines[k]),
                   ::testing::PrintToString(average[k]) + ", difference " + ::testing::PrintToString(difference[k]));
    EXPECT_TRUE(average[k].is_enough(400)) << lines[k] << " lines: " << average[k];
    EXPECT_TRUE(difference[k].is_enough(400)) << lines[k] << " lines, difference: " << difference[k];
  }
  EXPECT_GT(average.back().accepted, 0.9 * seeds.count());
}

TEST(FittedLog, RefusesWhatTheLogSaysNothingAbout) {
  const FiniteModel model = make_model(default_config("river_swim"));
  PolicyTable left(model.states, model.actions);
  left.set_always(0);
  const Logged log = indicator_log(model, left, 5'000, 1);
  try {
    fit_log(log.fitted, next_features(log, model, rather_right(model)), "log.csv");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("log.csv does not cover the policy"));
  }
}

}  // namespace
}  // namespace politex
