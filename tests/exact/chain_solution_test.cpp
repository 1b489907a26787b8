#include "politex/exact/chain_solution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/optimum.hpp"

namespace politex::exact {
namespace {

using testing::chain_model;

// Two pairs of states: inside a pair a move has probability 1/2, the first pair is left with `out`, the second with
// `back`. With both pairs lumped, costs 0 and 1, the bias of the second pair is out / (out + back)^2 + ... : a
// two-state chain in closed form.
FiniteModel two_pairs(double out, double back) {
  Eigen::Matrix4d p = Eigen::Matrix4d::Zero();
  for (int first : {0, 2}) {
    const double leave = first == 0 ? out : back;
    for (int x = first; x < first + 2; ++x) {
      p(x, first) = p(x, first + 1) = 0.5;
      p(x, 2 - first) = leave;
    }
  }
  return chain_model(p, Eigen::Vector4d{0.0, 0.0, 1.0, 1.0});
}

TEST(ChainSolution, BiasOfNearlyDecomposableChainsIsRightWhateverTheOrder) {
  for (const auto& [out, back] : {std::pair{1e-30, 1e-12}, {1e-12, 1e-30}, {1e-25, 1e-24}, {1e-60, 1e-14}}) {
    const FiniteModel model = two_pairs(out, back);
    const Evaluation found = evaluate(model, uniform_policy(model));
    // Lumped: the bias of the indicator cost of the second pair.
    const double scale = 1.0 / ((out + back) * (out + back));
    EXPECT_LE(found.relative_error(), reported_error);
    for (int x = 0; x < 2; ++x) EXPECT_NEAR(found.bias[x] / (-out * scale), 1.0, 1e-9) << out << " " << back;
    for (int x = 2; x < 4; ++x) EXPECT_NEAR(found.bias[x] / (back * scale), 1.0, 1e-9) << out << " " << back;
    EXPECT_LE(found.residual, 1e-9);
  }
}

TEST(ChainSolution, WhatRoundingHidesHasALargeEstimatedError) {
  // Equal costs in the two pairs, except for a difference that 113 bits cannot see behind a bias of 1e60.
  FiniteModel model = two_pairs(1e-60, 1e-60);
  model.cost = {0.0, 1.0, 1.0, 0.0};
  const Evaluation found = evaluate(model, uniform_policy(model));
  for (std::size_t x = 0; x < 4; ++x) {
    // Within a pair the bias is +-1/2 around a level; a move to the other pair lands at +-1/2, so that the levels
    // differ by 1/2.
    const double truth = std::vector{-0.25, 0.75, 0.25, -0.75}[x];
    EXPECT_TRUE(found.relative_error(x) > reported_error || std::abs(found.bias[x] - truth) < 1e-9) << x;
  }
}

TEST(ChainSolution, ConstantCostsHaveNoBiasAndNoError) {
  FiniteModel model = two_pairs(1e-40, 1e-12);
  model.cost = {3.0, 3.0, 3.0, 3.0};
  const Evaluation found = evaluate(model, uniform_policy(model));
  EXPECT_EQ(found.bias, std::vector<double>(4, 0.0));
  EXPECT_EQ(found.relative_error(), 0.0);
  EXPECT_EQ(found.gain, std::vector<double>(4, 3.0));
}

TEST(ChainSolution, RowsThatAlmostSumToOneMeanProbabilities) {
  Eigen::Matrix2d p{{0.5, 0.5}, {0.25, 0.75}};
  const FiniteModel right = chain_model(p, Eigen::Vector2d{0.0, 1.0});
  const FiniteModel off = chain_model(p * (1.0 + 5e-10), Eigen::Vector2d{0.0, 1.0});
  const Evaluation a = evaluate(right, uniform_policy(right)), b = evaluate(off, uniform_policy(off));
  for (std::size_t x = 0; x < 2; ++x) {
    EXPECT_NEAR(a.gain[x], b.gain[x], 1e-15);
    EXPECT_NEAR(a.bias[x], b.bias[x], 1e-14);
  }
}

// With one action, or several names of one, the optimum is the gain, also where advantages are lost in rounding.
TEST(Optimum, IsTheGainWhereThereIsNoChoice) {
  FiniteModel model = two_pairs(1e-60, 1e-60);
  model.cost = {0.0, 1.0, 1.0, 0.0};
  ASSERT_FALSE(Evaluator(model).evaluate(uniform_policy(model), Accurate::advantages).advantages.decided);
  const Optimum found = optimum(model);
  EXPECT_TRUE(found.certain);
  EXPECT_EQ(found.gain, evaluate(model, uniform_policy(model)).gain);
  EXPECT_NEAR(found.gain[0], 0.5, 1e-15);

  FiniteModel twice = model;  // every action has a second name
  twice.actions = 2;
  twice.first = {0}, twice.next.clear(), twice.probability.clear(), twice.cost.clear();
  for (int x = 0; x < 4; ++x)
    for (int name = 0; name < 2; ++name) {
      for (auto e = model.first[x]; e < model.first[x + 1]; ++e) {
        twice.next.push_back(model.next[e]);
        twice.probability.push_back(model.probability[e]);
      }
      twice.first.push_back(static_cast<decltype(twice.first)::value_type>(twice.next.size()));
      twice.cost.push_back(model.cost[x]);
    }
  EXPECT_TRUE(optimum(twice).certain);
  twice.cost[3] = 1.0 + 1e-13;  // now there is a choice, and rounding hides whether it matters
  EXPECT_FALSE(optimum(twice).certain);
}

// A state that no policy reaches, with a huge cost, hides nothing.
TEST(Optimum, AHugeCostThatIsNeverPaidDoesNotMatter) {
  FiniteModel model;
  model.name = "unreachable";
  model.states = 3;
  model.actions = 2;
  model.first = {0, 1, 2, 3, 4, 5, 6};
  model.next = {1, 1, 0, 0, 0, 1};
  model.probability.assign(6, 1.0);
  model.cost = {0.25, 0.5, 0.0, 0.0, 1e13, 1e13};
  const Optimum found = optimum(model);
  EXPECT_EQ(found.gain[0], 0.125);
  EXPECT_EQ(found.gain[1], 0.125);
  EXPECT_EQ(found.action[0], 0);
  EXPECT_TRUE(found.certain);
  // Ties: both actions of state 1, and both of state 2 lead to the same cost.
  EXPECT_EQ(found.tied[0], 1);
  EXPECT_EQ(found.tied[1], 0);
  EXPECT_EQ(tied_policy(model, found)[2], 0.5);
  EXPECT_EQ(extreme_policy(model, found, false)[2], 1.0);
  EXPECT_EQ(extreme_policy(model, found, true)[3], 1.0);
}

}  // namespace
}  // namespace politex::exact
