#include "politex/exact/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/env/garnet.hpp"
#include "politex/exact/transient.hpp"

namespace politex::exact {
namespace {

using testing::chain_model;
using testing::dense_answer;
using testing::dense_chain;
using testing::random_actions;
using testing::random_model;
using testing::random_policy;

constexpr std::uint64_t seeds = 150;

// Models of every kind: one to three successors, with and without teleporting.
FiniteModel mixed_model(std::uint64_t seed) {
  return random_model(seed, 2 + static_cast<int>(seed % 11), 2, 1 + static_cast<int>(seed % 3),
                      seed % 5 == 0 ? 0.01 + 0.1 * static_cast<double>(seed % 7) : 0.0);
}

std::vector<double> mixed_policy(const FiniteModel& model, std::uint64_t seed) {
  Rng rng{seed, Use::test, 3};
  return seed % 2 == 0 ? random_policy(model, rng) : deterministic_policy(model, random_actions(model, rng));
}

TEST(Evaluate, AgreesWithDenseLimitsOfPowers) {
  int multichain = 0, periodic = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const FiniteModel model = mixed_model(seed);
    const auto policy = mixed_policy(model, seed);
    const Evaluation exact = evaluate(model, policy);
    const auto dense = dense_answer(dense_chain(model, policy));
    for (int x = 0; x < model.states; ++x) {
      EXPECT_NEAR(exact.gain[x], dense.gain[x], 1e-9) << "seed " << seed << " state " << x;
      EXPECT_NEAR(exact.bias[x], dense.bias[x], 1e-7 * (1.0 + dense.bias.cwiseAbs().maxCoeff())) << "seed " << seed;
      EXPECT_NEAR(exact.stationary[x], dense.limit(model.start, x), 1e-9) << "seed " << seed << " state " << x;
      const double own = exact.class_of[x] >= 0 ? dense.limit(x, x) : 0.0;
      EXPECT_NEAR(exact.class_distribution[x], own, 1e-9) << "seed " << seed << " state " << x;
    }
    multichain += exact.classes > 1 ? 1 : 0;
    periodic += exact.period > 1 ? 1 : 0;
  }
  EXPECT_GT(multichain, 10);
  EXPECT_GT(periodic, 5);
}

TEST(Evaluate, SatisfiesTheEvaluationEquationsToRounding) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const FiniteModel model = mixed_model(seed + 1000);
    const auto policy = mixed_policy(model, seed);
    const Evaluation exact = evaluate(model, policy);
    const ActionValues q = action_values(model, exact);
    double size = 1.0;
    for (const double h : exact.bias) size = std::max(size, std::abs(h));
    std::vector<double> mean_bias(exact.classes, 0.0), mass(exact.classes, 0.0);
    for (int x = 0; x < model.states; ++x) {
      double gain = 0.0, value = 0.0;
      for (int a = 0; a < model.actions; ++a) {
        gain += policy[model.pair(x, a)] * q.gain_after[model.pair(x, a)];
        value += policy[model.pair(x, a)] * q.value[model.pair(x, a)];
      }
      EXPECT_NEAR(gain, exact.gain[x], 1e-13) << "seed " << seed << " state " << x;
      EXPECT_NEAR(value, exact.bias[x], 1e-13 * size) << "seed " << seed << " state " << x;
      if (exact.class_of[x] < 0) continue;
      mean_bias[exact.class_of[x]] += exact.class_distribution[x] * exact.bias[x];
      mass[exact.class_of[x]] += exact.class_distribution[x];
    }
    for (int k = 0; k < exact.classes; ++k) {
      EXPECT_NEAR(mean_bias[k], 0.0, 1e-13 * size);
      EXPECT_NEAR(mass[k], 1.0, 1e-14);
    }
  }
}

TEST(Evaluate, TwoStateChainInClosedForm) {
  for (const double a : {0.3, 1e-3, 1.0, 1e-12}) {
    for (const double b : {0.45, 1.0, 2e-7}) {
      const Eigen::Matrix2d p{{1 - a, a}, {b, 1 - b}};
      // The deviation matrix: columns are the biases of indicator costs.
      const double scale = 1.0 / ((a + b) * (a + b));
      const Eigen::Matrix2d deviation{{a * scale, -a * scale}, {-b * scale, b * scale}};
      for (int y = 0; y < 2; ++y) {
        Eigen::Vector2d cost{y == 0 ? 1.0 : 0.0, y == 1 ? 1.0 : 0.0};
        const FiniteModel model = chain_model(p, cost);
        const Evaluation exact = evaluate(model, uniform_policy(model));
        const double distribution = (y == 0 ? b : a) / (a + b);
        EXPECT_NEAR(exact.gain[0] / distribution, 1.0, 1e-14);
        EXPECT_NEAR(exact.stationary[y] / distribution, 1.0, 1e-14);
        for (int x = 0; x < 2; ++x) EXPECT_NEAR(exact.bias[x] / deviation(x, y), 1.0, 1e-9);
        EXPECT_EQ(exact.period, a == 1.0 && b == 1.0 ? 2 : 1);
        EXPECT_TRUE(exact.unichain());
      }
    }
  }
}

// A birth-death chain is reversible: its stationary distribution is a product of ratios for any rates.
TEST(Evaluate, KeepsRelativeAccuracyOnNearlyDecomposableChains) {
  for (const double tiny : {1e-3, 1e-12, 1e-60, 1e-200}) {
    const int n = 12;
    Eigen::MatrixXd p = Eigen::MatrixXd::Zero(n, n);
    std::vector<long double> expected(n, 1.0L);
    for (int x = 0; x + 1 < n; ++x) {
      const double up = x % 4 == 1 ? 0.3 * tiny : 0.2, down = x % 3 == 1 ? 0.1 * tiny : 0.4;
      p(x, x + 1) = up;
      p(x + 1, x) = down;
      expected[x + 1] = expected[x] * static_cast<long double>(up) / static_cast<long double>(down);
    }
    long double total = 0.0L;
    for (const long double e : expected) total += e;
    for (int x = 0; x < n; ++x) p(x, x) = 1.0 - (p.row(x).sum() - p(x, x));
    const FiniteModel model = chain_model(p, Eigen::VectorXd::LinSpaced(n, 0.0, 1.0));
    const Evaluation exact = evaluate(model, uniform_policy(model));
    EXPECT_EQ(exact.floor, 0.0);
    for (int x = 0; x < n; ++x) {
      const auto distribution = static_cast<double>(expected[x] / total);
      EXPECT_NEAR(exact.stationary[x], distribution, 1e-13 * distribution) << "tiny " << tiny << " state " << x;
    }
  }
}

// Two halves connected by ladders of `steps` rungs, each climbed with a given probability: the odds are
// climb_left^steps : climb_right^steps, also where these products underflow double.
FiniteModel two_ladders(int steps, double left, double right) {
  const int n = 2 * steps;
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(n, n);
  for (int side = 0; side < 2; ++side) {
    const double climb = side == 0 ? left : right;
    for (int rung = 0; rung < steps; ++rung) {
      p(side * steps + rung, rung + 1 < steps ? side * steps + rung + 1 : (1 - side) * steps) += climb;
      p(side * steps + rung, side * steps) += 1.0 - climb;
    }
  }
  Eigen::VectorXd cost = Eigen::VectorXd::Zero(n);
  cost.tail(steps).setOnes();
  return chain_model(p, cost);
}

TEST(Evaluate, ProductsBelowTheRangeOfDoubleCount) {
  // Visits to the right side : to the left = (1/right)^20 : (1/left)^20, so the odds are (left/right)^20.
  const FiniteModel model = two_ladders(20, 1e-100, 0.9e-100);
  const Evaluation exact = evaluate(model, uniform_policy(model));
  const double odds = std::pow(1.0 / 0.9, 20);
  EXPECT_EQ(exact.floor, 0.0);
  EXPECT_NEAR(exact.gain[0], odds / (1.0 + odds), 1e-12);
  EXPECT_TRUE(exact.unichain());
}

TEST(Evaluate, FindsTheSideThatIsAlmostNeverLeft) {
  // From left to right with 1e-8000, back with 1e-4000: almost all time is spent on the left side, in any order of
  // elimination.
  const FiniteModel ladders = two_ladders(40, 1e-200, 1e-100);
  const Evaluation left = evaluate(ladders, uniform_policy(ladders));
  EXPECT_EQ(left.floor, 0.0);
  EXPECT_TRUE(left.unichain());
  EXPECT_NEAR(left.gain.back(), 0.0, 1e-15);
  const FiniteModel sea = deep_sea_model(DeepSea{40});
  std::vector<double> policy(sea.pairs());
  for (int x = 0; x < sea.states; ++x) {
    policy[sea.pair(x, 0)] = 1.0;
    policy[sea.pair(x, 1)] = 1e-190;
  }
  const Evaluation shy = evaluate(sea, policy);
  EXPECT_EQ(shy.floor, 0.0);
  EXPECT_NEAR(shy.gain[0] / 1e-190, 1.0, 1e-12);
}

TEST(Evaluate, MovesBelowTheRangeOfLongDoubleAreDroppedAndReported) {
  const FiniteModel model = two_ladders(40, 1e-200, 1e-200);
  const Evaluation exact = evaluate(model, uniform_policy(model));
  EXPECT_GT(exact.floor, 1e-200);
  EXPECT_EQ(exact.classes, 2);
  EXPECT_NEAR(exact.gain.front(), 0.0, 1e-15);
  EXPECT_NEAR(exact.gain.back(), 1.0, 1e-15);
}

TEST(Evaluate, TeleportingEqualsTheDenseModel) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const double teleport : {1e-6, 0.1, 0.7, 1.0}) {
      const FiniteModel model = random_model(seed, 9, 2, 2, teleport);
      FiniteModel spelled = random_model(seed, 9, 2, 2);
      const Eigen::MatrixXd p = testing::dense_pairs(model);
      spelled.first = {0};
      spelled.next.clear();
      spelled.probability.clear();
      for (int pair = 0; pair < model.pairs(); ++pair) {
        for (int y = 0; y < model.states; ++y) {
          spelled.next.push_back(y);
          spelled.probability.push_back(p(pair, y));
        }
        spelled.first.push_back(static_cast<std::int64_t>(spelled.next.size()));
      }
      Rng rng{seed};
      const auto policy = random_policy(model, rng);
      const Evaluation a = evaluate(model, policy), b = evaluate(spelled, policy);
      double size = 1.0;
      for (const double h : a.bias) size = std::max(size, std::abs(h));
      for (int x = 0; x < model.states; ++x) {
        EXPECT_NEAR(a.gain[x], b.gain[x], 1e-12);
        EXPECT_NEAR(a.bias[x], b.bias[x], 1e-13 * size);
        EXPECT_NEAR(a.stationary[x], b.stationary[x], 1e-12);
      }
      EXPECT_EQ(a.classes, 1);
      EXPECT_EQ(a.period, 1);
    }
  }
}

TEST(Evaluate, TransientCostsAddUpStepByStep) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = mixed_model(seed + 2000);
    const auto policy = mixed_policy(model, seed);
    const Evaluation exact = evaluate(model, policy);
    const auto chain = dense_chain(model, policy);
    Eigen::VectorXd cost = chain.cost, total = Eigen::VectorXd::Zero(model.states);
    for (int steps = 0; steps <= 12; ++steps) {
      const auto found = transient_cost(model, policy, exact, steps);
      for (int x = 0; x < model.states; ++x) {
        EXPECT_NEAR(found[x], total[x] - steps * exact.gain[x], 1e-9) << "seed " << seed << " steps " << steps;
      }
      total += cost;
      cost = (chain.p * cost).eval();
    }
  }
}

TEST(Evaluate, ResultsDoNotDependOnEarlierEvaluations) {
  const FiniteModel model = deep_sea_model(DeepSea{7});
  Rng rng{5};
  const auto first = random_policy(model, rng), second = random_policy(model, rng);
  Evaluator used(model);
  used.evaluate(first);
  used.evaluate(always(model, 1));
  const Evaluation again = used.evaluate(second), fresh = evaluate(model, second);
  EXPECT_EQ(again.gain, fresh.gain);
  EXPECT_EQ(again.bias, fresh.bias);
  EXPECT_EQ(again.stationary, fresh.stationary);
}

TEST(Evaluate, DeepSeaPoliciesInClosedForm) {
  for (int n = 2; n <= 50; ++n) {
    const FiniteModel model = deep_sea_model(DeepSea{n});
    Evaluator evaluator(model);
    EXPECT_NEAR(evaluator.evaluate(always(model, 1)).gain[model.start], -(1.0 + 1.0 / n), 1e-12) << n;
    EXPECT_NEAR(evaluator.evaluate(always(model, 0)).gain[model.start], 0.0, 1e-12) << n;
    const Evaluation uniform = evaluator.evaluate(uniform_policy(model));
    EXPECT_NEAR(uniform.gain[model.start], -(2.0 / n - 0.5 + 0.5 / n / n), 1e-12) << n;
    EXPECT_EQ(uniform.period % n, 0) << n;
  }
}

TEST(Evaluate, SolvesAThousandDenseAndTenThousandSparseStates) {
  const FiniteModel garnet = garnet_model({.states = 1000, .actions = 3, .branching = 5, .model_seed = 4});
  const Evaluation dense = evaluate(garnet, uniform_policy(garnet));
  const ActionValues q = action_values(garnet, dense);
  for (int x = 0; x < garnet.states; ++x) {
    const double value = (q.value[3 * x] + q.value[3 * x + 1] + q.value[3 * x + 2]) / 3.0;
    ASSERT_NEAR(value, dense.bias[x], 1e-12);
  }
  const int n = 100;
  const FiniteModel sea = deep_sea_model(DeepSea{n});
  EXPECT_NEAR(evaluate(sea, uniform_policy(sea)).gain[0], -(2.0 / n - 0.5 + 0.5 / n / n), 1e-12);
}

TEST(Evaluate, TheErrorForALargeModelSaysWhatToDo) {
  FiniteModel model;
  model.states = 30'000'000;
  model.actions = 2;
  try {
    evaluate(model, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("30000000"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("long run"), std::string::npos);
  }
}

}  // namespace
}  // namespace politex::exact
