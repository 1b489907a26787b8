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

TEST(Statistics, QuantileInterpolates) {
  const std::vector<double> values{4.0, 1.0, 2.0, 3.0};
  EXPECT_EQ(quantile(values, 0.0), 1.0);
  EXPECT_EQ(quantile(values, 1.0), 4.0);
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
}

// Repeating each stratum until all are equally long makes the plain mean the expected value.
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
    EXPECT_NEAR(t_interval_of_strata(strata).mean, mean(repeated), 1e-12);
  }
  const std::vector<std::vector<double>> constant{{1, 1, 1}, {9, 9}}, alone{{1, 2}, {3}}, one{{1, 2, 6}};
  EXPECT_EQ(t_interval_of_strata(constant), (Interval{5.0, 5.0, 5.0}));
  EXPECT_EQ(t_interval_of_strata(alone).high, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(t_interval_of_strata(one).low, t_interval(one[0]).low, 1e-12);  // one stratum: Student's t
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

// By hand: P(X >= 18) of 20 fair coins is (190 + 20 + 1) / 2^20. The other numbers are sums of the binomial's terms in
// exact arithmetic, and the Clopper-Pearson limits of R's binom.test.
TEST(Statistics, BinomialTailAndShareInterval) {
  EXPECT_NEAR(binomial_tail(18, 20, 0.5), 211.0 / 1048576.0, 1e-15);
  EXPECT_EQ(binomial_tail(0, 5, 0.3), 1.0);
  EXPECT_EQ(binomial_tail(6, 5, 0.3), 0.0);
  EXPECT_NEAR(binomial_tail(5, 5, 0.3), std::pow(0.3, 5), 1e-15);
  EXPECT_NEAR(binomial_tail(2, 3, 0.3), 3 * 0.09 * 0.7 + 0.027, 1e-15);
  const Interval share = share_interval(18, 20);
  EXPECT_EQ(share.mean, 0.9);
  EXPECT_NEAR(share.low, 0.6830173, 1e-6);
  EXPECT_NEAR(share.high, 0.9876515, 1e-6);
  EXPECT_EQ(share_interval(10, 10).high, 1.0);
  EXPECT_NEAR(share_interval(10, 10).low, std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(share_interval(0, 10).low, 0.0);
}

TEST(Statistics, MedianIntervalUsesOrderStatistics) {
  std::vector<double> values{6, 5, 4, 3, 2, 1};
  EXPECT_EQ(median_interval(values), (Interval{3.5, 1.0, 6.0}));  // misses with probability 2/64
  values.pop_back();
  EXPECT_EQ(median_interval(values).low, -std::numeric_limits<double>::infinity());  // 2/32 > 5%
  values.clear();
  for (int i = 20; i >= 1; --i) values.push_back(i);
  EXPECT_EQ(median_interval(values), (Interval{10.5, 6.0, 15.0}));  // the tables: 6th and 15th of 20
  EXPECT_TRUE(std::isnan(median_interval({}).mean));
}

TEST(Statistics, DrawnIntervalStaysWithinTheValues) {
  const std::vector<double> few{1.0, 2.0, 9.0}, skewed{0, 0, 0, 0, 0, 0, 0, 9};
  EXPECT_EQ(drawn_interval(few), (Interval{4.0, 1.0, 9.0}));
  EXPECT_LT(t_interval(skewed).low, 0.0);
  EXPECT_EQ(drawn_interval(skewed).low, 0.0);
  EXPECT_EQ(drawn_interval(skewed).high, t_interval(skewed).high);
  EXPECT_EQ(drawn_interval(std::vector{3.0}), (Interval{3.0, 3.0, 3.0}));
}

TEST(Statistics, HolmByHand) {
  EXPECT_EQ(holm(std::vector{0.01, 0.04, 0.03}), (std::vector{0.03, 0.06, 0.06}));
  EXPECT_EQ(holm(std::vector{0.5, 0.9}), (std::vector{1.0, 1.0}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Statistics, StudentTailInvertsTheQuantile) {
  for (const double degrees : {1.0, 4.0, 19.0})
    for (const double p : {0.001, 0.025, 0.4, 0.7})
      EXPECT_NEAR(student_tail(student_quantile(1.0 - p, degrees), degrees), p, 1e-9);
}

}  // namespace
}  // namespace politex
