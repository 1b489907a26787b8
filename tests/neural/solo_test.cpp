#include "politex/neural/solo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "neural/solo_objective.hpp"
#include "politex/base/rng.hpp"

namespace politex::neural {
namespace {

using test::objective;

TEST(Solo, NormIsTheMinimumByBruteForce) {
  Rng rng(21);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t count = 1 + rng.below(10);
    std::vector<ValueRange> ranges(count);
    std::vector<double> scales(count);
    for (std::size_t i = 0; i < count; ++i) {
      // Every fourth trial draws from few values, so that middles coincide.
      const double middle = trial % 4 == 0 ? static_cast<double>(rng.below(3)) : rng.normal();
      ranges[i] = {middle, trial % 3 == 0 ? 0.0 : std::abs(rng.normal())};
      scales[i] = trial % 2 == 0 ? 1.0 : rng.uniform() + 0.01;
    }
    // Golden section on the convex objective.
    double low = -10, high = 10;
    for (int i = 0; i < 200; ++i) {
      const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
      if (objective(ranges, scales, a) < objective(ranges, scales, b))
        high = b;
      else
        low = a;
    }
    const double expected = objective(ranges, scales, (low + high) / 2);
    auto r = ranges;
    auto s = scales;
    EXPECT_NEAR(solo_norm(r, s), expected, 1e-9 * (1 + expected));
  }
}

TEST(Solo, ByHand) {
  std::vector<ValueRange> one = {{3.0, 2.0}};
  std::vector<double> scale = {1.0};
  EXPECT_DOUBLE_EQ(solo_norm(one, scale), 4.0);
  // Two networks with values (0, 2) and (4, 6): c = 3 is 3 away from the farthest of each.
  std::vector<ValueRange> two = {{1.0, 1.0}, {5.0, 1.0}};
  std::vector<double> scales = {1.0, 1.0};
  EXPECT_DOUBLE_EQ(solo_norm(two, scales), 18.0);
  EXPECT_DOUBLE_EQ(solo_step(10, 3, 18.0), 10 * std::sqrt(2.75) * std::sqrt(std::log(3.0) / 18.0));
}

}  // namespace
}  // namespace politex::neural
