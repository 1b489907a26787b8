#include "politex/watch/q_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "politex/env/river_swim.hpp"
#include "politex/exact/chain.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/features/additive.hpp"
#include "politex/features/tabular.hpp"
#include "politex/run/catalogue.hpp"
#include "politex/run/parts.hpp"

namespace politex {
namespace {

double norm(std::span<const double> f, std::span<const double> weights, double constant) {
  double sum = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += weights[i] * (f[i] - constant) * (f[i] - constant);
  return std::sqrt(sum);
}

TEST(QError, OneConstantForTwoNormsIsTheBestOnAGrid) {
  Rng rng{5, Use::test};
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<double> f(6), a(6), b(6);
    double total_a = 0.0, total_b = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
      f[i] = 4.0 * rng.uniform() - 2.0;
      total_a += a[i] = trial % 3 == 0 && i > 1 ? 0.0 : rng.uniform();
      total_b += b[i] = trial % 4 == 0 && i < 4 ? 0.0 : rng.uniform();
    }
    for (std::size_t i = 0; i < 6; ++i) {
      a[i] /= total_a;
      b[i] /= total_b;
    }
    double best = std::numeric_limits<double>::infinity();
    for (double constant = -2.0; constant <= 2.0; constant += 1e-4)
      best = std::min(best, std::max(norm(f, a, constant), norm(f, b, constant)));
    EXPECT_NEAR(common_constant_norm(f, a, b), best, 2e-4) << trial;
    EXPECT_LE(common_constant_norm(f, a, b), best + 1e-12);
  }
}

// Two point distributions: each norm alone can be made 0 by its own constant, both together cannot. The theorem needs
// both.
TEST(QError, SeparateConstantsHideWhatTheTheoremNeeds) {
  const std::vector<double> f = {0.0, 3.0}, first = {1.0, 0.0}, second = {0.0, 1.0};
  EXPECT_EQ(exact::centred_norm(f, first), 0.0);
  EXPECT_EQ(exact::centred_norm(f, second), 0.0);
  EXPECT_EQ(common_constant_norm(f, first, second), 1.5);
}

TEST(QError, TheTruthHasNoErrorAndAKnownErrorHasItsNorm) {
  const FiniteModel model =
      make_model(default_config("river_swim").set("environment.size", 4).set("environment.teleport", 0.3));
  const Features features = tabular_features(model);
  const auto policy = exact::uniform_policy(model);
  const auto optimal = exact::always(model, 1);
  const exact::Evaluation evaluation = exact::evaluate(model, policy), best = exact::evaluate(model, optimal);
  QErrors errors(model, features,
                 {.optimal_stationary = best.stationary, .optimal_policy = optimal, .explorer = evaluation.stationary});
  std::vector<double> q = exact::action_values(model, evaluation).value;
  for (double& value : q) value += 17.0;  // a constant, which no policy sees
  errors.add(policy, evaluation, q);
  EXPECT_NEAR(errors.newest().theorem, 0.0, 1e-12);
  EXPECT_NEAR(errors.newest().explore, 0.0, 1e-12);
  EXPECT_NEAR(errors.eps_0(), 0.0, 1e-12);
  double ratio = 0.0;  // nu* takes one action of two, so it has twice mu* / mu_e
  for (std::size_t x = 0; x < 4; ++x) ratio = std::max(ratio, 2.0 * best.stationary[x] / evaluation.stationary[x]);
  EXPECT_NEAR(errors.newest().density_ratio, ratio, 1e-12);

  for (std::size_t pair = 1; pair < q.size(); pair += 2) q[pair] += 1.0;  // wrong by 1 for action 1
  errors.add(policy, evaluation, q);
  EXPECT_NEAR(errors.newest().star, 0.0, 1e-12);    // nu* never takes the other action
  EXPECT_NEAR(errors.newest().policy, 0.5, 1e-12);  // half and half
  EXPECT_NEAR(errors.newest().explore, 0.5, 1e-12);
  EXPECT_NEAR(errors.newest().theorem, 0.5, 1e-12);  // at its own mean the other norm is the same
  const TheorySummary summary = errors.summary();
  EXPECT_EQ(summary.measured, 2);
  EXPECT_NEAR(summary.mean.policy, 0.25, 1e-12);
  EXPECT_NEAR(summary.largest.policy, 0.5, 1e-12);
  errors.skip();
  EXPECT_TRUE(std::isnan(errors.newest().star));
}

// One phase of three whose exact Q rounding hides: no maximum over the phases is reported, mean and median are those of
// the other two and the count says so.
TEST(QError, OneUnknownPhaseMakesEveryMaximumUnknown) {
  const FiniteModel model =
      make_model(default_config("river_swim").set("environment.size", 4).set("environment.teleport", 0.3));
  const auto policy = exact::uniform_policy(model), optimal = exact::always(model, 1);
  const exact::Evaluation evaluation = exact::evaluate(model, policy), best = exact::evaluate(model, optimal);
  exact::Evaluation hidden = evaluation;
  hidden.bias_error.assign(hidden.bias_error.size(), 1e3);
  for (const int unknown_phase : {-1, 0, 1, 2}) {
    QErrors errors(
        model, tabular_features(model),
        {.optimal_stationary = best.stationary, .optimal_policy = optimal, .explorer = evaluation.stationary});
    std::vector<double> q = exact::action_values(model, evaluation).value;
    for (int phase = 0; phase < 3; ++phase) {
      for (std::size_t pair = 1; pair < q.size(); pair += 2) q[pair] += 1.0;  // wrong by 1, 2 and 3 for action 1
      errors.add(policy, phase == unknown_phase ? hidden : evaluation, q);
    }
    const TheorySummary summary = errors.summary();
    const bool all = unknown_phase < 0;
    EXPECT_EQ(summary.measured, 3);
    EXPECT_EQ(summary.known, all ? 3 : 2);
    for (const double maximum : {summary.eps_0, errors.eps_0(), summary.w_max, summary.q_max, summary.largest.theorem,
                                 summary.largest.star, summary.largest.policy, summary.largest.explore})
      EXPECT_EQ(std::isnan(maximum), !all) << unknown_phase;
    const double sum = all ? 6.0 : 6.0 - (unknown_phase + 1);
    EXPECT_NEAR(summary.mean.policy, 0.5 * sum / static_cast<double>(summary.known), 1e-9);
    EXPECT_TRUE(std::isfinite(summary.largest.density_ratio));  // no Q in it
    EXPECT_NEAR(all ? summary.largest.policy : 1.5, 1.5, 1e-9);
  }
}

TEST(QError, AnExplorerThatLeavesStatesOutHasAnInfiniteRatio) {
  const FiniteModel model = make_model(default_config("deep_sea").set("environment.size", 4));
  const auto explorer = exact::always(model, 1), uniform = exact::uniform_policy(model);
  const exact::Evaluation evaluation = exact::evaluate(model, uniform);
  QErrors errors(model, additive_features(model),
                 {.optimal_stationary = evaluation.stationary,
                  .optimal_policy = uniform,
                  .explorer = exact::evaluate(model, explorer).stationary});
  errors.add(uniform, evaluation, exact::action_values(model, evaluation).value);
  EXPECT_TRUE(std::isinf(errors.newest().density_ratio));
}

}  // namespace
}  // namespace politex
