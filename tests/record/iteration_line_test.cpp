#include "politex/record/iteration_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace politex {
namespace {

TEST(IterationLine, EstimatesTheTimeLeft) {
  // The width fell from 1 to 1e-4 in 20 s; to 1e-8 it is as far again.
  const IterationProgress half{
      .what = "optimal gain", .width = 1e-4, .wanted = 1e-8, .bounds = {.low = 1.5, .high = 1.5001}, .products = 9};
  EXPECT_EQ(iteration_line_text(half, 1.0, 20.0), "optimal gain in [1.5, 1.5001], 20 s, about 20 s left");
}

TEST(IterationLine, SaysNothingThatIsNotKnown) {
  const double infinite = std::numeric_limits<double>::infinity();
  const IterationProgress none{
      .what = "gain", .width = infinite, .wanted = 1e-8, .bounds = {.low = -infinite, .high = infinite}, .products = 0};
  EXPECT_EQ(iteration_line_text(none, infinite, 3.0), "gain, 3 s");
  const IterationProgress done{
      .what = "gain", .width = 1e-9, .wanted = 1e-8, .bounds = {.low = 1.0, .high = 1.0}, .products = 5};
  EXPECT_EQ(iteration_line_text(done, 1.0, 3.0), "gain in [1, 1], 3 s");
}

}  // namespace
}  // namespace politex
