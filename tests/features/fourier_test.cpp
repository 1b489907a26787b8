// The Fourier bases against their formulas.
#include "politex/features/fourier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "features/observations.hpp"
#include "politex/base/error.hpp"
#include "politex/base/rng.hpp"

namespace politex {
namespace {

using test::clamped;
using test::random_observation;
using test::ranges;
using test::row_of;

TEST(Fourier, IsTheProductFreeCosineBasis) {
  const Fourier basis(ranges, 3);
  ASSERT_EQ(basis.columns(), 64);
  EXPECT_EQ(basis.exclusive(), 0);
  Rng rng(3);
  for (int trial = 0; trial < 500; ++trial) {
    const auto observation = random_observation(rng, 0.2);
    const auto inside = clamped(observation);
    std::vector<double> u;
    for (std::size_t k = 0; k < 3; ++k) u.push_back((inside[k] - ranges[k].low) / (ranges[k].high - ranges[k].low));
    const SparseRows row = row_of(basis, observation);
    ASSERT_EQ(row.index.size(), 64u);
    for (int c0 = 0; c0 <= 3; ++c0)
      for (int c1 = 0; c1 <= 3; ++c1)
        for (int c2 = 0; c2 <= 3; ++c2) {
          const auto at = static_cast<std::size_t>(c0 + 4 * c1 + 16 * c2);
          EXPECT_EQ(row.index[at], static_cast<int>(at));
          EXPECT_NEAR(row.value[at], std::cos(3.141592653589793 * (c0 * u[0] + c1 * u[1] + c2 * u[2])), 1e-13);
        }
  }
  for (const double value : row_of(basis, {-1.0, 0.0, 10.0}).value) EXPECT_EQ(value, 1.0);  // the low corner
}

TEST(Basis, TooManyFeaturesAreRefused) {
  const auto key = [](const auto& make) {
    try {
      make();
    } catch (const ConfigError& error) {
      return error.key();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(key([] { Fourier(ranges, 16); }), "accepted");  // 4913
  EXPECT_EQ(key([] { Fourier(ranges, 17); }), "features.order");
  EXPECT_EQ(key([] { Fourier(std::vector<Range>(200), 1000); }), "features.order");  // no overflow on the way
}

TEST(SparseFourier, IsPartOfTheWholeBasis) {
  const std::vector<Range> three = {{-1, 1}, {0, 2}, {-3, 0}};
  const Fourier whole(three, 2);
  const SparseFourier pairs(three, 2, true), single(three, 2, false);
  EXPECT_EQ(pairs.columns(), 1 + 6 + 12);
  EXPECT_EQ(single.columns(), 1 + 6);
  const std::vector<double> seen = {0.3, 1.7, -5.0};
  SparseRows all, some, few;
  whole.append(seen, all);
  pairs.append(seen, some);
  single.append(seen, few);
  for (std::size_t k = 0; k < few.value.size(); ++k) EXPECT_EQ(few.value[k], some.value[k]);
  // Every value of the sparse basis is a value of the whole one, of the k with at most two nonzero digits.
  std::vector<double> left;
  for (int feature = 0; feature < whole.columns(); ++feature)
    if (int zeros = (feature % 3 == 0) + (feature / 3 % 3 == 0) + (feature / 9 == 0); zeros >= 1)
      left.push_back(all.value[static_cast<std::size_t>(feature)]);
  std::vector<double> right = some.value;
  ASSERT_EQ(left.size(), right.size());
  std::ranges::sort(left);
  std::ranges::sort(right);
  for (std::size_t k = 0; k < left.size(); ++k) EXPECT_NEAR(left[k], right[k], 1e-12);
}

}  // namespace
}  // namespace politex
