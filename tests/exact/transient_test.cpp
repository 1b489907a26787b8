#include "politex/exact/transient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/exact/optimum.hpp"

namespace politex::exact {
namespace {

using testing::dense_chain;
using testing::random_model;
using testing::random_policy;

// Rows (1-a, a), (b, 1-b): lambda_2 = 1 - a - b, and a start at either state decays at that rate.
TEST(Transient, TwoStateChainInClosedForm) {
  const double a = 0.3, b = 0.1;
  const FiniteModel model = testing::chain_model(Eigen::Matrix2d{{1 - a, a}, {b, 1 - b}}, Eigen::Vector2d{1.0, -1.0});
  const auto policy = uniform_policy(model);
  const Evaluation exact = evaluate(model, policy);
  Transients transients(model, policy, exact);
  ExpectedPath path(model, policy, exact);
  const double gain = (b - a) / (a + b), rate = 1.0 - a - b;
  double before = 0.0;
  for (const std::int64_t steps : {1, 2, 7, 40, 2000}) {
    const double sum = (1.0 - gain) * (1.0 - std::pow(rate, static_cast<double>(steps))) / (1.0 - rate);
    EXPECT_NEAR(transients.of(steps)[0], sum, 1e-12);
    EXPECT_NEAR(transients.of(steps)[1], -sum * (b / a), 1e-12);
    const double stretch = path.advance(steps - path.steps());
    EXPECT_NEAR(stretch, sum - before, 1e-12) << steps;
    before = sum;
  }
}

TEST(Transient, SegmentsOfALongRunMatchTheSumsOfExpectedCosts) {
  for (std::uint64_t seed = 1; seed <= 30;
       ++seed) {  // every other one without teleporting: periodic and multichain too
    const FiniteModel model = random_model(seed + 300, 5, 2, 1 + static_cast<int>(seed % 3), seed % 2 == 0 ? 0.2 : 0.0);
    Rng rng{seed};
    const auto policy = deterministic_policy(model, testing::random_actions(model, rng));
    const Evaluation exact = evaluate(model, policy);
    const auto chain = dense_chain(model, policy);
    ExpectedPath path(model, policy, exact);
    Eigen::RowVectorXd distribution = Eigen::RowVectorXd::Zero(model.states);
    distribution[model.start] = 1.0;
    for (const int steps : {3, 1, 10, 60, 700}) {
      double expected = 0.0;
      for (int t = 0; t < steps; ++t) {
        expected += distribution.dot(chain.cost) - exact.gain[static_cast<std::size_t>(model.start)];
        distribution = (distribution * chain.p).eval();
      }
      EXPECT_NEAR(path.advance(steps), expected, 1e-9) << "seed " << seed << ", " << steps << " steps";
    }
  }
}

// Nearly multichain: h is near 1e17, so computing h - P^s h in doubles would lose all digits.
TEST(Transient, StaysAccurateWhereTheBiasIsHuge) {
  const double e = 1e-17;
  const FiniteModel model =
      testing::chain_model(Eigen::Matrix2d{{1.0 - e, e}, {e, 1.0 - e}}, Eigen::Vector2d{1.0, -1.0});
  const auto policy = uniform_policy(model);
  const Evaluation exact = evaluate(model, policy);
  EXPECT_GT(std::abs(exact.bias[0]), 1e16);
  EXPECT_NEAR(transient_cost(model, policy, exact, 25)[0], 25.0, 1e-12);
}

// Costs of one segment from one state: 5 standard errors, about 6e-7 false alarms for each of 6 states.
TEST(Transient, AgreesWithSimulatedSegments) {
  const FiniteModel model = random_model(31, 6, 2, 3, 0.15);
  Rng rng{31};
  const auto policy = random_policy(model, rng);
  const Evaluation exact = evaluate(model, policy);
  const Eigen::MatrixXd distributions = testing::dense_pairs(model);
  constexpr int runs = 20'000, length = 9;
  const std::vector<double> expected = transient_cost(model, policy, exact, length);
  for (int start = 0; start < model.states; ++start) {
    double sum = 0.0, squares = 0.0;
    for (int run = 0; run < runs; ++run) {
      double cost = -length * exact.gain[0];
      int x = start;
      for (int t = 0; t < length; ++t) {
        const int pair = model.pair(x, rng.uniform() < policy[model.pair(x, 0)] ? 0 : 1);
        cost += model.cost[pair];
        double draw = rng.uniform();
        for (x = 0; x + 1 < model.states && draw >= distributions(pair, x); ++x) draw -= distributions(pair, x);
      }
      sum += cost;
      squares += cost * cost;
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    EXPECT_NEAR(mean, expected[start], 5.0 * error) << start;
  }
}

}  // namespace
}  // namespace politex::exact
