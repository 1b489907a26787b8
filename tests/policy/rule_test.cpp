// A rule's probabilities against direct exponentials, with values as extreme as doubles allow.
#include "politex/policy/rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace politex {
namespace {

std::vector<double> probabilities(const Rule& rule, const std::vector<double>& q) {
  std::vector<double> p(q.size());
  rule.probabilities(q, p);
  return p;
}

double sum(const std::vector<double>& p) { return std::accumulate(p.begin(), p.end(), 0.0); }

/// The definition, without any shift: fine while no exponential overflows.
std::vector<double> direct_boltzmann(double eta, const std::vector<double>& q) {
  std::vector<double> p;
  for (const double value : q) p.push_back(std::exp(-eta * value));
  const double total = sum(p);
  for (double& each : p) each /= total;
  return p;
}

TEST(Rule, BoltzmannIsTheNormalisedExponential) {
  Rng rng(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> q(2 + rng.below(6));
    for (double& value : q) value = 40.0 * (rng.uniform() - 0.5);
    const double eta = 3.0 * rng.uniform();
    const auto p = probabilities(Rule::boltzmann(eta), q), expected = direct_boltzmann(eta, q);
    // -eta q is rounded before exp sees it: an argument of up to 120 moves the direct result by 120 roundings.
    for (std::size_t a = 0; a < q.size(); ++a) EXPECT_NEAR(p[a], expected[a], 1e-13 * expected[a]);
    EXPECT_NEAR(sum(p), 1.0, 1e-15 * 8);
  }
}

TEST(Rule, AConstantAddedToQChangesNoBit) {
  Rng rng(2);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> q(2 + rng.below(4)), shifted;
    for (double& value : q) value = static_cast<double>(rng.below(1 << 20)) / 1024.0;  // so that the shift is exact
    for (const double value : q) shifted.push_back(value + std::ldexp(1.0, 40));
    for (const Rule& rule : {Rule::boltzmann(0.37), Rule::greedy(0.05)})
      EXPECT_EQ(probabilities(rule, q), probabilities(rule, shifted));
  }
}

TEST(Rule, ExtremeValuesGiveALaw) {
  constexpr double most = std::numeric_limits<double>::max();
  const std::vector<double> certain = {0.0, 1.0, 0.0};
  EXPECT_EQ(probabilities(Rule::boltzmann(0.5), {most, -most, 0.0}), certain);  // the difference overflows
  EXPECT_EQ(probabilities(Rule::boltzmann(1e300), {1e300, -1e300, 1.0}), certain);
  EXPECT_EQ(probabilities(Rule::boltzmann(1.0), {-1e9, -1e9 - 800.0, 5.0}), certain);  // exp underflows
  EXPECT_EQ(probabilities(Rule::greedy(0.0), {most, -most, 0.0}), certain);
  const std::vector<double> even = {0.5, 0.5};
  EXPECT_EQ(probabilities(Rule::boltzmann(1e300), {most, most}), even);
  EXPECT_EQ(probabilities(Rule::boltzmann(0.0), {most, 0.0}), even);
  // exp(-700) is far below the rounding of 1 and still kept apart from 0.
  EXPECT_NEAR(probabilities(Rule::boltzmann(1.0), {0.0, 700.0})[1] / std::exp(-700.0), 1.0, 1e-12);
}

TEST(Rule, TiedActionsShare) {
  const std::vector<double> thirds = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  EXPECT_EQ(probabilities(Rule::boltzmann(2.0), {-4.0, -4.0, -4.0}), thirds);
  EXPECT_EQ(probabilities(Rule::greedy(0.0), {-4.0, -4.0, -4.0}), thirds);
  const std::vector<double> halves = {0.5, 0.0, 0.5};
  EXPECT_EQ(probabilities(Rule::greedy(0.0), {1.0, std::nextafter(1.0, 2.0), 1.0}), halves);
  EXPECT_EQ(probabilities(Rule::greedy(0.0), {0.0, 1.0, -0.0}), halves);
}

TEST(Rule, GreedyMixesInTheUniformPolicy) {
  const auto p = probabilities(Rule::greedy(0.1), {3.0, 1.0, 2.0, 1.0});
  EXPECT_DOUBLE_EQ(p[0], 0.025);
  EXPECT_DOUBLE_EQ(p[1], 0.45 + 0.025);
  EXPECT_DOUBLE_EQ(p[2], 0.025);
  EXPECT_DOUBLE_EQ(p[3], 0.45 + 0.025);
  for (const double each : probabilities(Rule::greedy(1.0), {3.0, 1.0, 2.0, 1.0})) EXPECT_DOUBLE_EQ(each, 0.25);
}

TEST(Rule, CheaperActionsAreMoreLikely) {
  const auto p = probabilities(Rule::boltzmann(0.5), {1.0, 0.0, 2.0});
  EXPECT_GT(p[1], p[0]);
  EXPECT_GT(p[0], p[2]);
  EXPECT_NEAR(p[0] / p[1], std::exp(-0.5), 1e-15);
}

TEST(PickAction, ADrawOnAThresholdTakesTheNextAction) {
  const std::vector<double> cumulative = {0.25, 0.25, 0.75};  // the second action has probability 0
  const auto pick = [&](double draw) { return pick_action(cumulative, std::bit_cast<std::uint64_t>(draw)); };
  EXPECT_EQ(pick(0.0), 0);
  EXPECT_EQ(pick(std::nextafter(0.25, 0.0)), 0);
  EXPECT_EQ(pick(0.25), 2);
  EXPECT_EQ(pick(std::nextafter(0.75, 0.0)), 2);
  EXPECT_EQ(pick(0.75), 3);
  EXPECT_EQ(pick(1.0 - 0x1p-53), 3);
}

TEST(PickAction, WholeNumbersCompareAsTheDoublesDo) {
  Rng rng(3), same(3);
  for (int k = 0; k < 10'000; ++k) {
    const double threshold = Rng(4, Use::test, static_cast<std::uint64_t>(k)).uniform();
    EXPECT_EQ(pick_action(std::vector{threshold}, uniform_bits(rng)), same.uniform() >= threshold ? 1 : 0);
  }
}

}  // namespace
}  // namespace politex
