// The compiled and the general collector against each other.
#include "politex/algorithm/collector.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "small_loops.hpp"

namespace politex {
namespace {

using test::make_loop;
using test::SmallRun;

TEST(Collectors, BothPathsCollectTheSameTransitionsForTheSamePolicy) {
  for (const FiniteModel& model : test::some_models()) {
    const TableEnvironment environment(model);
    const Features features = test::features_of(model);
    PolicyTable explorer(environment.states(), environment.actions());
    FiniteCollector fast(environment, features, explorer, 9);
    BlockCollector general(std::make_unique<BlockOf<TableEnvironment>>(environment, 9),
                           std::make_unique<FeatureTable>(features), std::make_shared<TableExplorer>(explorer), 9,
                           {.states = true});
    std::vector<double> weights(static_cast<std::size_t>(features.dimension()));
    Rng rng{3};
    const Part part{.lengths = {3, 5, 1, 20}, .steps = 78};
    for (int phase = 0; phase < 20; ++phase) {
      for (double& weight : weights) weight = rng.normal();
      const Rule rule = phase % 4 == 3 ? Rule::greedy(0.1) : Rule::boltzmann(0.5);
      fast.follow(rule, weights);
      general.follow(rule, weights);
      const Phase a = fast.collect(part), b = general.collect(part);
      ASSERT_TRUE(std::ranges::equal(a.model_pairs, b.model_pairs)) << model.name << " phase " << phase;
      ASSERT_TRUE(std::ranges::equal(a.costs, b.costs));
      ASSERT_EQ(a.last_state, b.last_state);
    }
  }
}

TEST(Collectors, BothPathsEstimateTheSameWeights) {
  for (const FiniteModel& model : test::some_models())
    for (const char* algorithm : test::every_algorithm) {
      // One phase of learning: afterwards the policies may differ in the last bit.
      SmallRun setup{.model = model, .algorithm = algorithm, .steps = 68};
      const auto fast = make_loop(setup);
      setup.compiled = false;
      const auto general = make_loop(setup);
      const Phase a = fast->advance(), b = general->advance();
      ASSERT_TRUE(std::ranges::equal(a.model_pairs, b.model_pairs)) << algorithm;
      const auto one = fast->learner().weights(), other = general->learner().weights();
      for (std::size_t k = 0; k < one.size(); ++k) ASSERT_NEAR(one[k], other[k], 1e-10) << algorithm << " weight " << k;
    }
}

}  // namespace
}  // namespace politex
