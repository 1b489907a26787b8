// The six terms sum to the regret, for every algorithm and environment, and looking on changes no bit of the learning.
#include "politex/watch/regret.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "politex/run/parts.hpp"
#include "politex/run/run.hpp"
#include "politex/run/summary.hpp"

namespace politex {
namespace {

Config small(const char* environment, const char* algorithm, const char* path) {
  Config config = default_config(environment);
  config.steps = 3000;
  config.set("environment.size", 6);
  config.set("environment.states", 8);
  config.set("environment.teleport", 0.05);
  config.set("algorithm.name", algorithm);
  config.set("algorithm.path", path);
  config.set("schedule.explore", 4);
  config.set("schedule.follow", 9);
  config.set("exact.every", 7);
  return config;
}

Summary finished(const Config& config, bool regret = true) {
  const auto run = make_run(config, {.regret = regret});
  while (!run->done()) run->advance();
  return run->summary();
}

TEST(Regret, TheSixTermsSumToIt) {
  for (const char* environment : {"deep_sea", "river_swim", "garnet"})
    for (const char* algorithm : {"ee_politex", "politex", "rlsvi", "lspi"})
      for (const char* path : {"compiled", "generic"}) {
        const Summary summary = finished(small(environment, algorithm, path));
        ASSERT_TRUE(summary.finite.has_value());
        const FiniteSummary& finite = *summary.finite;
        const RegretTerms& t = finite.terms;
        const double sum = t.E + t.PR + t.V + t.W + t.V_explore + t.W_explore;
        EXPECT_NEAR(sum, finite.regret, 1e-8 * (1.0 + std::abs(finite.regret))) << environment << algorithm << path;
        EXPECT_NEAR(finite.regret_to_gain, 3000 * (summary.average_cost - finite.optimal_gain), 1e-7);
        if (summary.explorer.steps == 0) {
          EXPECT_EQ(t.E, 0.0);
          EXPECT_EQ(t.V_explore, 0.0);
          EXPECT_EQ(t.W_explore, 0.0);
        }
        EXPECT_EQ(summary.signature, finished(small(environment, algorithm, path), false).signature);
      }
}

void expect_split(const NoiseSplit& split, double term, const std::string& where) {
  EXPECT_NEAR(split.transient + split.martingale, term, 1e-8 * (1.0 + std::abs(term))) << where;
}

TEST(Regret, TheSplitsSumToTheTerms) {
  for (const char* environment : {"deep_sea", "river_swim", "garnet"})
    for (const char* algorithm : {"ee_politex", "politex", "rlsvi", "lspi"})
      for (const std::int64_t every : {1, 7}) {
        Config config = small(environment, algorithm, "compiled");
        config.set("exact.every", every);
        const FiniteSummary finite = *finished(config).finite;
        ASSERT_TRUE(finite.theory.has_value());
        const std::string where = std::string(environment) + " " + algorithm;
        expect_split(finite.theory->split.V, finite.terms.V, where);
        expect_split(finite.theory->split.W, finite.terms.W, where);
        expect_split(finite.theory->split.V_explore, finite.terms.V_explore, where);
        expect_split(finite.theory->split.W_explore, finite.terms.W_explore, where);
        EXPECT_EQ(std::isfinite(finite.theory->eps_0), std::string(algorithm) == "ee_politex") << where;
        config.set("exact.every", 0);
        EXPECT_FALSE(finished(config).finite->theory.has_value());
        EXPECT_EQ(finished(config).signature, finished(small(environment, algorithm, "compiled")).signature);
      }
}

// The theorem's inequality for the eta used, with every phase's own error, has no probability in it.
TEST(Regret, TheSurePseudoRegretBoundHolds) {
  for (const char* environment : {"deep_sea", "river_swim", "garnet"})
    for (const char* algorithm : {"ee_politex", "politex"})
      for (const double eta : {0.02, 0.5, 5.0}) {
        Config config = small(environment, algorithm, "compiled");
        config.set("algorithm.eta", eta);
        config.set("exact.every", 1);
        const TheoryBounds bounds = finished(config).finite->theory->bounds;
        EXPECT_TRUE(bounds.every_phase);
        EXPECT_LE(bounds.pseudo_regret, bounds.PR_sure) << environment << " " << algorithm << " " << eta;
      }
}

// Two pairs of states. Action 1 moves between the pairs and costs much; without it only 1e-60 does, and the chain is so
// nearly decomposable that rounding hides its Q. The first phase is uniformly random and its Q known, the next are not:
// no maximum and no bound that needs all phases is reported, and the text says why.
TEST(Regret, PhasesWhoseQIsUnknownLeaveNoBound) {
  const auto file = std::filesystem::path(testing::TempDir()) / fmt::format("politex_hidden_{}.json", getpid());
  std::string transitions;
  for (const int first : {0, 2})
    for (int x = first; x < first + 2; ++x)
      transitions += fmt::format(
          "{0}[{1},0,{2},0.5],[{1},0,{3},0.5],[{1},0,{4},1e-60],[{1},1,{2},0.25],[{1},1,{3},0.25],[{1},1,{4},0.5]",
          x > 0 ? "," : "", x, first, first + 1, 2 - first);
  std::ofstream(file) << fmt::format(
      R"({{"states":4,"actions":2,"start":0,"transitions":[{}],"costs":[[0,10],[1,10],[1,10],[0,10]]}})", transitions);
  for (const bool hidden : {true, false}) {
    Config config = default_config("finite_mdp");
    config.steps = 4000;
    config.set("environment.file", file.string());
    config.set("features.name", "tabular");
    config.set("algorithm.name", "ee_politex");
    config.set("algorithm.eta", hidden ? 100.0 : 1e-3);
    config.set("explorer.name", "uniform");
    config.set("exact.every", 1);
    const Summary summary = finished(config);
    const TheorySummary& theory = *summary.finite->theory;
    EXPECT_GT(theory.known, 0);
    EXPECT_EQ(theory.known < theory.measured, hidden);
    EXPECT_TRUE(std::isfinite(theory.mean.theorem));  // of the known ones
    for (const double number : {theory.largest.theorem, theory.eps_0, theory.w_max, theory.q_max,
                                theory.bounds.PR_printed, theory.bounds.PR_printed_q_max, theory.bounds.PR_sure})
      EXPECT_EQ(std::isnan(number), hidden);
    EXPECT_EQ(summary_text(summary).find("exact Q            unknown in") != std::string::npos, hidden);
    EXPECT_NE(summary_json(summary).find(fmt::format("\"known_phases\": {}", theory.known)), std::string::npos);
  }
  std::filesystem::remove(file);
}

// Given its first state a segment's remainder has mean 0, whatever was learned before: over 200 seeds the means of the
// four remainders lie within 5 standard errors of 0 (8 comparisons, about 5e-6 false alarms in all), and the transients
// of V_explore do not, which is why they are separate terms. The corrected bounds at delta = .05 may fail in 5% of the
// runs; more than 40 failures in 200 would then have probability below 1e-11.
TEST(Regret, RemaindersHaveMeanZeroAndBoundsHoldAtTheirConfidence) {
  for (const char* environment : {"river_swim", "garnet"}) {
    constexpr int seeds = 200;
    std::vector<NoiseSplit RegretSplit::*> parts = {&RegretSplit::V, &RegretSplit::W, &RegretSplit::V_explore,
                                                    &RegretSplit::W_explore};
    std::vector<double> sum(4, 0.0), squares(4, 0.0);
    int failures[4] = {};
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Config config = small(environment, "ee_politex", "compiled");
      config.seed = seed;
      config.steps = 700;
      config.set("environment.teleport", 0.2);
      config.set("exact.every", 1);
      const FiniteSummary finite = *finished(config).finite;
      const TheoryBounds& bounds = finite.theory->bounds;
      for (std::size_t i = 0; i < 4; ++i) {
        const double rest = (finite.theory->split.*parts[i]).martingale;
        sum[i] += rest;
        squares[i] += rest * rest;
      }
      failures[0] += std::abs(finite.terms.V) > bounds.V.total() ? 1 : 0;
      failures[1] += std::abs(finite.terms.W) > bounds.W.total() ? 1 : 0;
      failures[2] += std::abs(finite.terms.V_explore) > bounds.V_explore.total() ? 1 : 0;
      failures[3] += std::abs(finite.terms.W_explore) > bounds.W_explore.total() ? 1 : 0;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LT(std::abs(sum[i] / seeds), 5.0 * std::sqrt(squares[i]) / seeds) << environment << " " << i;
      EXPECT_LE(failures[i], 40) << environment << " " << i;
    }
  }
}

TEST(Regret, AResumedRunHasTheSameBits) {
  for (const char* environment : {"deep_sea", "garnet"})
    for (const std::int64_t every : {1, 7}) {
      Config config = small(environment, "ee_politex", "compiled");
      config.set("exact.every", every);
      const auto whole = make_run(config), half = make_run(config), rest = make_run(config);
      for (int phase = 0; phase < 10; ++phase) half->advance();
      ByteWriter saved;
      half->save(saved);
      ByteReader reader(saved.bytes());
      rest->restore(reader);
      std::vector<double> expected, found;
      while (!whole->done()) {
        whole->advance();
        if (whole->steps_done() <= half->steps_done()) continue;
        rest->advance();
        whole->row(expected);
        rest->row(found);
        ASSERT_EQ(expected.size(), found.size());
        EXPECT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(double)), 0);
      }
    }
}

// Where nothing is random the comparator's sums are looked up instead of walked.
TEST(Regret, TheComparatorStaysWithinOneClimbOfItsGain) {
  Config config = small("deep_sea", "ee_politex", "compiled");
  config.set("environment.teleport", 0.0);
  const Summary summary = finished(config);
  // An optimal policy of DeepSea at N = 6 gains 1.5 per step up to one climb, so W + W_explore stays bounded.
  EXPECT_LT(std::abs(summary.finite->terms.W + summary.finite->terms.W_explore), 4.0 * 6);
  EXPECT_NEAR(summary.finite->optimal_gain, -1.5, 1e-12);
}

}  // namespace
}  // namespace politex
