#include <gtest/gtest.h>

#include "politex/env/criss_cross.hpp"
#include "politex/env/queue_network.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex::exact {
namespace {

TEST(LargeModel, IsBracketed) {
  // 2.8289 without a limit on the queues (computed independently). Elimination of 15,625 states of a three-dimensional
  // grid would take minutes.
  const FiniteModel model = network_model(criss_cross_network({.buffer = 24}), "x");
  EXPECT_TRUE(needs_iteration(model));
  const Optimum found = optimum(model);
  EXPECT_TRUE(found.iterated);
  EXPECT_NEAR(found.gain[0], 2.8289, 1e-4);
  EXPECT_LE(found.gain_error[0], 1e-7);
  EXPECT_FALSE(needs_iteration(network_model(criss_cross_network({.buffer = 8}), "x")));
}

}  // namespace
}  // namespace politex::exact
