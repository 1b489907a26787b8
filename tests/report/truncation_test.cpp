#include "politex/report/truncation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "politex/env/criss_cross.hpp"
#include "politex/env/inventory.hpp"
#include "politex/env/queue_network.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex {
namespace {

std::optional<Truncation> of_uniform(const FiniteModel& model) {
  return truncation(model, exact::evaluate(model, exact::uniform_policy(model)).stationary);
}

TEST(Truncation, OneQueueIsFullAsMM1KSays) {
  // The share of time with K jobs is r^K (1 - r) / (1 - r^(K + 1)).
  for (const int buffer : {3, 8}) {
    QueueNetwork network{.classes = {{.name = "1", .arrival = 0.5, .buffer = buffer}},
                         .servers = {{.name = "1", .serves = {{0, 0.8}}}}};
    const double r = 0.5 / 0.8;
    const auto found = of_uniform(network_model(network, "test"));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->full, std::pow(r, buffer) * (1.0 - r) / (1.0 - std::pow(r, buffer + 1)), 1e-12);
    // Nothing to choose: the optimum with half the buffer is the mean number of jobs there.
    double sum = 0.0, jobs = 0.0;
    for (int k = 0; k <= buffer / 2; ++k) {
      sum += std::pow(r, k);
      jobs += k * std::pow(r, k);
    }
    EXPECT_EQ(found->smaller, buffer / 2);
    EXPECT_NEAR(found->smaller_gain, jobs / sum, 1e-9);
  }
}

TEST(Truncation, SmallerBuffersAreTheSameNetworkWithSmallerBuffers) {
  const auto found = of_uniform(network_model(criss_cross_network({.buffer = 7}), "test"));
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->smaller_gain, exact::optimal_gain(network_model(criss_cross_network({.buffer = 3}), "test")));
}

TEST(Truncation, IsOnlyForNetworksThatCanBeCutFurther) {
  EXPECT_FALSE(of_uniform(inventory_model({.capacity = 4, .backlog = 2})));
  EXPECT_FALSE(of_uniform(network_model(criss_cross_network({.buffer = 1}), "test")));
  EXPECT_FALSE(of_uniform(with_teleport(network_model(criss_cross_network({.buffer = 4}), "test"), 0.1)));
}

}  // namespace
}  // namespace politex
