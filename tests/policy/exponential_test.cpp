// exp_nonpositive against the C library's long double exp.
#include "politex/base/exponential.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "politex/base/rng.hpp"

namespace politex {
namespace {

/// Distance from the true value in units of the last place of the double nearest to it.
double error_in_ulps(double x) {
  const long double exact = std::exp(static_cast<long double>(x));
  const auto nearest = static_cast<double>(exact);
  const double ulp = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(exp_nonpositive(x)) - exact) /
                             static_cast<long double>(ulp));
}

TEST(ExpNonpositive, IsRightToAboutOneUnitInTheLastPlace) {
  Rng rng(1);
  double worst = 0.0;
  for (int k = 0; k < 200'000; ++k) {
    worst = std::max(worst, error_in_ulps(-708.0 * rng.uniform()));
    worst = std::max(worst, error_in_ulps(-rng.uniform()));
    worst = std::max(worst, error_in_ulps(-std::ldexp(rng.uniform(), -static_cast<int>(rng.below(60)))));
  }
  // Where the reduction changes its integer: half-integer multiples of log 2, and their neighbours.
  for (int k = 0; k < 1021; ++k) {
    const double edge = -(k + 0.5) * 0.6931471805599453;
    for (const double x : {edge, std::nextafter(edge, 0.0), std::nextafter(edge, -800.0)})
      if (x >= -708.0) worst = std::max(worst, error_in_ulps(x));
  }
  EXPECT_LT(worst, 1.5);
  EXPECT_GT(worst, 0.4);  // else the yardstick measures nothing
}

TEST(ExpNonpositive, EndsOfItsRange) {
  EXPECT_EQ(exp_nonpositive(0.0), 1.0);
  EXPECT_EQ(exp_nonpositive(-0.0), 1.0);
  EXPECT_EQ(exp_nonpositive(-std::numeric_limits<double>::denorm_min()), 1.0);
  EXPECT_GT(exp_nonpositive(-708.0), std::numeric_limits<double>::min());
  EXPECT_LT(error_in_ulps(-708.0), 1.5);
  EXPECT_EQ(exp_nonpositive(std::nextafter(-708.0, -709.0)), 0.0);
  EXPECT_EQ(exp_nonpositive(std::numeric_limits<double>::lowest()), 0.0);
  EXPECT_EQ(exp_nonpositive(-std::numeric_limits<double>::infinity()), 0.0);
}

TEST(ExpNonpositive, NeverExceedsOne) {
  Rng rng(2);
  for (int k = 0; k < 100'000; ++k)
    EXPECT_LE(exp_nonpositive(-std::ldexp(rng.uniform(), -static_cast<int>(rng.below(60)))), 1.0);
}

}  // namespace
}  // namespace politex
