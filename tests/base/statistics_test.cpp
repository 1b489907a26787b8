#include "politex/base/statistics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

TEST(Statistics, MeanAndDeviationOfSmallSamples) {
  EXPECT_EQ(mean(std::vector{1.0, 2.0, 6.0}), 3.0);
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector{1.0, 2.0, 6.0}), std::sqrt(7.0));
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(standard_deviation(std::vector{1.0})));
}

// Closed forms: one degree is Cauchy, two have t = a sqrt(2 / (1 - a^2)) with a = 2p - 1, many are normal.
TEST(Statistics, StudentQuantileAgainstClosedForms) {
  for (const double p : {0.5, 0.6, 0.9, 0.975, 0.995, 0.05}) {
    EXPECT_NEAR(student_quantile(p, 1), std::tan(M_PI * (p - 0.5)), 1e-9 * (1 + std::abs(std::tan(M_PI * (p - 0.5)))));
    const double a = 2 * p - 1;
    EXPECT_NEAR(student_quantile(p, 2), a * std::sqrt(2 / (1 - a * a)), 1e-9);
  }
  EXPECT_NEAR(student_quantile(0.975, 19), 2.0930240544082634, 1e-9);  // tables
  EXPECT_NEAR(student_quantile(0.975, 4), 2.7764451051977987, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 1e7), 1.9599639845400545, 1e-6);
}

TEST(Statistics, StudentIntervalByHand) {
  const Interval interval = t_interval(std::vector{1.0, 2.0, 6.0});
  const double half = 4.302652729911275 * std::sqrt(7.0) / std::sqrt(3.0);
  EXPECT_EQ(interval.mean, 3.0);
  EXPECT_NEAR(interval.low, 3.0 - half, 1e-9);
  EXPECT_NEAR(interval.high, 3.0 + half, 1e-9);
  EXPECT_EQ(t_interval(std::vector{2.0}).high, std::numeric_limits<double>::infinity());
  EXPECT_EQ(t_interval(std::vector{2.0, 2.0, 2.0}), (Interval{2.0, 2.0, 2.0}));
}

// 2000 intervals at 95%: the count of misses is binomial(2000, .05), s.d. 9.7; +-5 s.d. has false-alarm rate < 1e-6
// and the seed is fixed.
TEST(Statistics, StudentIntervalHasTheStatedCoverage) {
  Rng rng(7);
  int misses = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> values;
    for (int j = 0; j < 6; ++j) values.push_back(rng.normal());
    const Interval interval = t_interval(values);
    misses += interval.low > 0 || interval.high < 0 ? 1 : 0;
  }
  EXPECT_NEAR(misses, 100, 5 * 9.7);
}

TEST(Statistics, InterquartileMeanLeavesTheTailsOut) {
  EXPECT_EQ(interquartile_mean(std::vector{100.0, 1.0, 2.0, 3.0, 4.0, -50.0, 2.5, 2.5}), 2.5);
  EXPECT_EQ(interquartile_mean(std::vector{1.0, 2.0, 6.0}), 3.0);
}

TEST(Statistics, QuantileInterpolates) {
  const std::vector<double> values{4.0, 1.0, 2.0, 3.0};
  EXPECT_EQ(quantile(values, 0.0), 1.0);
  EXPECT_EQ(quantile(values, 1.0), 4.0);
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
}

// Resampling is within strata: constant strata give an interval of width 0, however far apart they are.
TEST(Statistics, BootstrapResamplesWithinStrata) {
  const std::vector<std::vector<double>> constant{{1, 1, 1}, {9, 9, 9}};
  EXPECT_EQ(stratified_bootstrap(constant, mean), (Interval{5.0, 5.0, 5.0}));

  const std::vector<std::vector<double>> spread{{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}};
  const Interval interval = stratified_bootstrap(spread, mean);
  // The bootstrap's standard error of the mean of 10 is sqrt(33/10); its 95% interval is about +-1.96 of it.
  EXPECT_NEAR(interval.half_width(), 1.96 * std::sqrt(3.3), 0.25);
  EXPECT_EQ(interval, stratified_bootstrap(spread, mean));
}

// Repeating each stratum until all are equally long makes the plain mean and IQM the expected values; four times that
// makes a quarter of the values a whole number.
TEST(Statistics, StrataHaveEqualWeightForAnyLength) {
  const std::vector<std::vector<std::vector<double>>> examples{{{1, 5}, {2, 3, 4, 10, 11, 12}},
                                                               {{7}, {1, 2, 3}},
                                                               {{4, -1, 2}, {8, 0}, {3, 3, 9, 1, 5}},
                                                               {{6, 2, 9, 1, 4, 8, 3}}};
  for (const auto& strata : examples) {
    std::vector<double> repeated;
    for (const auto& stratum : strata)
      for (const double value : stratum) repeated.insert(repeated.end(), 4 * 210 / stratum.size(), value);
    EXPECT_NEAR(mean_of_strata(strata), mean(repeated), 1e-12);
    EXPECT_NEAR(interquartile_mean_of_strata(strata), interquartile_mean(repeated), 1e-12);
  }
  const std::vector<std::vector<double>> constant{{1, 1, 1}, {9, 9}};
  EXPECT_EQ(bootstrap_of_strata(constant, mean_of_strata), (Interval{5.0, 5.0, 5.0}));
}

TEST(Statistics, BatchMeansSeeTheCorrelation) {
  // Blocks of 50 equal values: the naive interval would be sqrt(50) times too narrow.
  Rng rng(3);
  std::vector<double> trajectory;
  for (int i = 0; i < 400; ++i) {
    const double level = rng.normal();
    trajectory.insert(trajectory.end(), 50, level);
  }
  const double naive = t_interval(trajectory).half_width();
  const double honest = batch_means_interval(trajectory, 20).half_width();
  EXPECT_GT(honest, 4 * naive);
  EXPECT_LT(honest, 12 * naive);
}

TEST(Statistics, ProbabilityOfImprovementCountsPairs) {
  EXPECT_EQ(probability_of_improvement(std::vector{1.0, 2.0}, std::vector{3.0, 4.0}), 1.0);
  EXPECT_EQ(probability_of_improvement(std::vector{1.0, 2.0}, std::vector{1.0, 2.0}), 0.5);
  EXPECT_EQ(probability_of_improvement(std::vector{5.0, 2.0}, std::vector{3.0, 3.0}), 0.5);
  Rng rng(5);
  std::vector<double> a(17);
  std::vector<double> b(23);
  for (double& value : a) value = static_cast<double>(rng.below(10));
  for (double& value : b) value = static_cast<double>(rng.below(10));
  double wins = 0.0;
  for (const double x : a)
    for (const double y : b) wins += x < y ? 1.0 : (x == y ? 0.5 : 0.0);
  EXPECT_EQ(probability_of_improvement(a, b), wins / (17.0 * 23.0));
}

}  // namespace
}  // namespace politex
