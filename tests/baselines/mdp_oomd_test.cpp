// The step of the log barrier, against its optimality condition.
#include "politex/baselines/mdp_oomd.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace politex {
namespace {

TEST(BarrierStep, SatisfiesTheOptimalityCondition) {
  const std::vector<double> base = {0.5, 0.3, 0.15, 0.05};
  for (const std::vector<double>& gain :
       {std::vector<double>{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 500.0}, {3.0, 2.0, 9.0, 1.0}}) {
    std::vector<double> p(4);
    barrier_step(base, gain, p);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1.0, 1e-12);
    const double lambda = 1.0 / p[0] - 1.0 / base[0] + gain[0];  // the same for all actions
    for (std::size_t a = 0; a < 4; ++a) {
      EXPECT_GT(p[a], 0.0);
      EXPECT_NEAR(1.0 / p[a] - 1.0 / base[a] + gain[a], lambda, 1e-6 * (1.0 + lambda)) << a;
    }
  }
}

TEST(BarrierStep, WithoutGainNothingChanges) {
  std::vector<double> base = {0.9, 0.1};
  barrier_step(base, std::vector<double>{2.0, 2.0}, base);  // equal gains too
  EXPECT_NEAR(base[0], 0.9, 1e-12);
}

TEST(MdpOomd, TheWeightsGiveThePolicy) {
  MdpOomd learner(2, 2, {.window = 1, .episode = 4, .rate = 0.02}, {});
  Rng rng(2);
  for (int t = 0; t < 4000; ++t) {
    const Place here{.state = t % 2};
    const Action action = learner.act(here, rng);
    learner.observe(here, action, action == 0 ? 0.1 : 0.9, {.state = 1 - t % 2});
  }
  const auto weights = learner.weights();
  for (int x = 0; x < 2; ++x) {
    std::vector<double> q = {weights[static_cast<std::size_t>(x)], weights[static_cast<std::size_t>(2 + x)]}, p(2);
    learner.rule().probabilities(q, p);
    EXPECT_NEAR(p[0], learner.policy().at(x, 0), 1e-12);
    EXPECT_GT(p[0], 0.5);  // the cheap action; the seed is fixed
  }
}

}  // namespace
}  // namespace politex
