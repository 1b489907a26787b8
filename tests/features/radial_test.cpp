// Radial basis functions and random Fourier features, against their definitions.
#include "politex/features/radial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "features/observations.hpp"
#include "politex/base/error.hpp"
#include "politex/features/random_fourier.hpp"

namespace politex {
namespace {

using namespace politex::test;

TEST(Radial, IsAGridOfNormalisedBumps) {
  const Radial basis(ranges, {.centers = 5, .width = 0.5, .groups = "0,2; 1"});
  EXPECT_EQ(basis.columns(), 30);
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto point = clamped(random_observation(rng, 0.2));
    const SparseRows row = row_of(basis, point);
    std::vector<double> dense(30, 0.0);
    for (std::size_t k = 0; k < row.index.size(); ++k) {
      EXPECT_TRUE(k == 0 || row.index[k - 1] < row.index[k]);
      dense[static_cast<std::size_t>(row.index[k])] = row.value[k];
    }
    const auto bumps = [&](std::size_t coordinate) {
      std::vector<double> all;
      double total = 0.0;
      const double at =
          (point[coordinate] - ranges[coordinate].low) / (ranges[coordinate].high - ranges[coordinate].low);
      for (int c = 0; c < 5; ++c) {
        const double distance = (4.0 * at - c) / 0.5;
        all.push_back(std::abs(distance) <= 3.0 ? std::exp(-0.5 * distance * distance) : 0.0);
        total += all.back();
      }
      for (double& each : all) each /= total;
      return all;
    };
    const auto first = bumps(0), middle = bumps(1), last = bumps(2);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(dense[25 + i], middle[i], 1e-12);
      for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(dense[5 * i + j], first[i] * last[j], 1e-12);
    }
  }
}

TEST(Radial, RefusesTooManyEntries) {
  const std::vector<Range> wide(8, Range{0.0, 1.0});
  EXPECT_THROW(Radial(wide, {.centers = 8, .width = 1.0, .groups = ""}), ConfigError);
  EXPECT_NO_THROW(Radial(wide, {.centers = 8, .width = 1.0, .groups = "0,1;2,3;4,5;6,7"}));
}

// The products of rows of 5000 random cosines are within 6 of their standard deviations (at most 1 / sqrt(5000)) of the
// kernel, for 50 pairs: the false-alarm rate is below 50 * 2e-9.
TEST(RandomFourier, ApproximatesTheGaussianKernel) {
  const RandomFourier basis(ranges, {.count = 5000, .scale = 0.5, .seed = 3});
  Rng rng(2);
  for (int trial = 0; trial < 50; ++trial) {
    const auto one = clamped(random_observation(rng, 0.0)), other = clamped(random_observation(rng, 0.0));
    const auto left = row_of(basis, one).value, right = row_of(basis, other).value;
    double product = 0.0, squared = 0.0;
    for (std::size_t k = 0; k < left.size(); ++k) product += left[k] * right[k];
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const double distance = (one[k] - other[k]) / (ranges[k].high - ranges[k].low) / 0.5;
      squared += distance * distance;
    }
    EXPECT_NEAR(product, std::exp(-0.5 * squared), 6.0 / std::sqrt(5000.0));
  }
}

}  // namespace
}  // namespace politex
