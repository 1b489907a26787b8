// Exact quantities against simulation. Every comparison allows 5 standard errors: about 6e-7 false alarms each, and
// fewer than 80 comparisons in this file, so the whole file alarms falsely with probability below 5e-5. Seeds are
// fixed.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/random_models.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/evaluate.hpp"
#include "politex/exact/excitation.hpp"

namespace politex::exact {
namespace {

using testing::random_model;
using testing::random_policy;

constexpr double standard_errors = 5.0;

struct Walker {
  const FiniteModel& model;
  const std::vector<double>& policy;
  Rng rng;
  int x = 0;

  int choose() {
    double draw = rng.uniform();
    int a = 0;
    while (a + 1 < model.actions && draw >= policy[model.pair(x, a)]) draw -= policy[model.pair(x, a++)];
    return a;
  }
  double step(int a) {
    const int pair = model.pair(x, a);
    if (rng.uniform() < model.teleport) {
      x = static_cast<int>(rng.below(static_cast<std::uint64_t>(model.states)));
    } else {
      double draw = rng.uniform();
      auto e = model.first[pair];
      while (e + 1 < model.first[pair + 1] && draw >= model.probability[e]) draw -= model.probability[e++];
      x = model.next[e];
    }
    return model.cost[pair];
  }
};

// Asymptotic variance of a time average: the square of the martingale differences that Poisson's equation gives.
double asymptotic_variance(const FiniteModel& model, const std::vector<double>& policy, const Evaluation& exact) {
  const Eigen::MatrixXd p = testing::dense_pairs(model);
  double variance = 0.0;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const int x = pair / model.actions;
    for (int y = 0; y < model.states; ++y) {
      const double difference = model.cost[pair] - exact.gain[x] + exact.bias[y] - exact.bias[x];
      variance += exact.stationary[x] * policy[pair] * p(pair, y) * difference * difference;
    }
  }
  return variance;
}

TEST(MonteCarlo, TimeAveragesOfCostsAndVisits) {
  FiniteModel model = random_model(11, 8, 2, 3, 0.1);
  Rng rng{11};
  const auto policy = random_policy(model, rng);
  const Evaluation exact = evaluate(model, policy);
  constexpr int steps = 400'000;
  Walker walker{model, policy, Rng{11, Use::test, 2}};
  double total = 0.0;
  std::vector<double> visits(model.states, 0.0);
  for (int t = 0; t < steps; ++t) {
    visits[walker.x] += 1.0;
    total += walker.step(walker.choose());
  }
  EXPECT_NEAR(total / steps, exact.gain[0],
              standard_errors * std::sqrt(asymptotic_variance(model, policy, exact) / steps));
  for (int y = 0; y < model.states; ++y) {
    for (int pair = 0; pair < model.pairs(); ++pair) model.cost[pair] = pair / model.actions == y ? 1.0 : 0.0;
    const Evaluation share = evaluate(model, policy);
    EXPECT_NEAR(share.gain[0], exact.stationary[y], 1e-14);
    EXPECT_NEAR(visits[y] / steps, exact.stationary[y],
                standard_errors * std::sqrt(asymptotic_variance(model, policy, share) / steps));
  }
}

// Total differential cost of 80 steps: the truncation error is below .7^80 times the bias.
TEST(MonteCarlo, BiasAndQ) {
  const FiniteModel model = random_model(12, 5, 2, 2, 0.3);
  Rng rng{12};
  const auto policy = random_policy(model, rng);
  const Evaluation exact = evaluate(model, policy);
  const ActionValues q = action_values(model, exact);
  constexpr int runs = 10'000, horizon = 80;
  for (int pair = -model.states; pair < model.pairs(); ++pair) {  // first the biases, then Q
    Walker walker{model, policy, Rng{12, Use::test, static_cast<std::uint64_t>(100 + pair)}};
    double sum = 0.0, squares = 0.0;
    for (int run = 0; run < runs; ++run) {
      walker.x = pair < 0 ? -1 - pair : pair / model.actions;
      double total = walker.step(pair < 0 ? walker.choose() : pair % model.actions) - exact.gain[0];
      for (int t = 1; t < horizon; ++t) total += walker.step(walker.choose()) - exact.gain[0];
      sum += total;
      squares += total * total;
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    EXPECT_NEAR(mean, pair < 0 ? exact.bias[-1 - pair] : q.value[pair], standard_errors * error) << pair;
  }
}

// A transient start state with two reachable classes: its gain is a mixture, and the distribution is the average over
// long runs.
TEST(MonteCarlo, AbsorptionAndGainOfAMultichainPolicy) {
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(5, 5);
  p << 0.2, 0.3, 0.1, 0.4, 0.0, 0.5, 0.1, 0.0, 0.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
      0.0, 1.0, 0.0;
  Eigen::VectorXd cost(5);
  cost << 5.0, -3.0, 1.0, 2.0, 4.0;
  const FiniteModel model = testing::chain_model(p, cost);
  const auto policy = uniform_policy(model);
  const Evaluation exact = evaluate(model, policy);
  EXPECT_EQ(exact.classes, 2);
  EXPECT_EQ(exact.period, 2);
  constexpr int runs = 100'000;
  Walker walker{model, policy, Rng{13}};
  double absorbed = 0.0;
  for (int run = 0; run < runs; ++run) {
    walker.x = 0;
    while (walker.x < 2) walker.step(0);
    absorbed += walker.x == 2 ? 1.0 : 0.0;
  }
  const double share = exact.stationary[2];
  EXPECT_NEAR(absorbed / runs, share, standard_errors * std::sqrt(share * (1.0 - share) / runs));
  EXPECT_NEAR(exact.gain[0], share * 1.0 + (1.0 - share) * 3.0, 1e-14);
}

// The least eigenvalue of an empirical Gram matrix moves by the mean of (v'psi)^2 - sigma over the draws, v its
// eigenvector, and to second order by at most |G^ - G|^2 / gap.
TEST(MonteCarlo, SigmaOfSampledPairs) {
  const FiniteModel model = random_model(14, 10, 2, 3, 0.2);
  const auto policy = uniform_policy(model);
  const Evaluation exact = evaluate(model, policy);
  SparseRows features;
  features.columns = 3;
  Rng rng{14};
  double fourth = 0.0;
  Eigen::MatrixXd psi(model.pairs(), 3);
  const auto distribution = pair_distribution(model, exact.stationary, policy);
  for (int pair = 0; pair < model.pairs(); ++pair) {
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double value = 2.0 * rng.uniform() - 1.0;
      features.append(i, value);
      psi(pair, i) = value;
      square += value * value;
    }
    features.end_row();
    fourth += distribution[pair] * square * square;
  }
  constexpr int draws = 400000;
  std::vector<double> counts(model.pairs(), 0.0);
  for (int k = 0; k < draws; ++k) {
    double draw = rng.uniform();
    int pair = 0;
    while (pair + 1 < model.pairs() && draw >= distribution[pair]) draw -= distribution[pair++];
    counts[pair] += 1.0 / draws;
  }
  const Eigen::Map<const Eigen::VectorXd> nu(distribution.data(), model.pairs());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(psi.transpose() * nu.asDiagonal() * psi);
  const double sigma = solver.eigenvalues()[0], gap = solver.eigenvalues()[1] - sigma;
  const Eigen::VectorXd squares = (psi * solver.eigenvectors().col(0)).cwiseAbs2();
  const double variance = nu.dot(squares.cwiseAbs2()) - sigma * sigma;
  const double allowed = standard_errors * std::sqrt(variance / draws) + 25.0 * fourth / draws / gap;
  EXPECT_LT(allowed, 0.02 * sigma);
  EXPECT_NEAR(excitation(features, counts).sigma, excitation(features, distribution).sigma, allowed);
}

// eps_0 of a policy from draws of mu_e x uniform: the squared error of the empirical fit is below that of the true
// weights, whose mean is eps_0^2, by an amount of order d / draws.
TEST(MonteCarlo, BestFitOfSampledPairs) {
  const FiniteModel model = random_model(15, 12, 2, 3, 0.2);
  Rng rng{15};
  const auto policy = random_policy(model, rng);
  const std::vector<double> q = action_values(model, evaluate(model, policy)).value;
  const auto distribution = uniform_pair_distribution(model, evaluate(model, uniform_policy(model)).stationary);
  SparseRows features;
  features.columns = 4;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    for (int i = 0; i < 4; ++i) features.append(i, 2.0 * rng.uniform() - 1.0);
    features.end_row();
  }
  const Fit exact = WeightedFit(features, distribution).fit(q);
  constexpr int draws = 200000;
  std::vector<double> counts(model.pairs(), 0.0);
  double squares = 0.0;
  for (int k = 0; k < draws; ++k) {
    double draw = rng.uniform();
    int pair = 0;
    while (pair + 1 < model.pairs() && draw >= distribution[pair]) draw -= distribution[pair++];
    counts[pair] += 1.0 / draws;
    double residual = q[pair] - exact.constant;
    for (int i = 0; i < 4; ++i) residual -= exact.weights[i] * features.values(pair)[i];
    squares += std::pow(residual, 4);
  }
  const double error = exact.error * exact.error, sampled = std::pow(WeightedFit(features, counts).fit(q).error, 2);
  const double deviation = std::sqrt((squares / draws - error * error) / draws);
  EXPECT_LT(5.0 * deviation, 0.05 * error);
  EXPECT_NEAR(sampled, error, standard_errors * deviation + 100.0 * error / draws);
}

}  // namespace
}  // namespace politex::exact
