#include "politex/theory/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "figures/theory_synthetic.hpp"
#include "politex/base/error.hpp"

namespace politex {
namespace {

TEST(TheoryTable, SlopesAndRatesOfKnownCurves) {
  const TheoryTable table = story_table({.rollouts = -0.7, .rate = 0.9});
  // Replicates differ by a factor, which has no slope.
  const auto slopes = powers_of(table.samples("a", "Garnet", "last cost", "error"));
  EXPECT_EQ(slopes.size(), 5U);
  for (const double slope : slopes) EXPECT_NEAR(slope, -0.7, 1e-12);
  for (const double rate : decays_of(table.samples("b", "Garnet", "last cost", "lambda"), 5.0, 40.0))
    EXPECT_NEAR(rate, 0.9 * 0.22, 1e-12);
  EXPECT_TRUE(powers_of(table.samples("a", "Garnet", "no such curve", "error")).empty());
  EXPECT_THROW(ratio(table.samples("a", "Garnet", "last cost", "error"), {}), Error);
  const std::string csv = theory_csv(table);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "figure,environment,curve,quantity,x,seed,value");
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), table.points.size() + 1);
}

}  // namespace
}  // namespace politex
