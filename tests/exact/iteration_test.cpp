#include "politex/exact/iteration.hpp"

#include <gtest/gtest.h>

#include "exact/random_models.hpp"
#include "politex/env/criss_cross.hpp"
#include "politex/env/queue_network.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex::exact {
namespace {

using testing::random_model;
using testing::random_policy;

TEST(Iteration, BracketsContainTheGainsThatEliminationFinds) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = random_model(seed, 30, 3, 4, seed % 2 == 0 ? 0.1 : 0.0);
    Rng rng{seed, Use::test, 5};
    const auto policy = random_policy(model, rng);
    const Evaluation exact = evaluate(model, policy);
    const Chain chain = chain_of(model, policy);
    const IteratedEvaluation found = evaluate_by_iteration(chain.rows, chain.cost, chain.teleport, model.start);
    for (const double gain : exact.gain) {
      EXPECT_LE(found.gain.low, gain) << seed;
      EXPECT_GE(found.gain.high, gain) << seed;
    }
    const Optimum best = optimum(model);
    const IteratedOptimum iterated = optimum_by_iteration(model, std::vector<int>(30, 0));
    EXPECT_LE(iterated.gain.low, best.gain[0] + 1e-15) << seed;
    EXPECT_GE(iterated.gain.high, best.gain[0] - 1e-15) << seed;
    if (!exact.unichain()) continue;
    EXPECT_LE(found.gain.high - found.gain.low, 1e-9) << seed;
    EXPECT_LE(found.imbalance, 1e-12) << seed;
    for (std::size_t x = 0; x < 30; ++x) EXPECT_NEAR(found.stationary[x], exact.stationary[x], 1e-12) << seed;
  }
}

TEST(Iteration, LargeModelsAreBracketed) {
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
