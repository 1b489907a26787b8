#include "politex/exact/weighted_basis.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "exact/random_models.hpp"
#include "politex/env/river_swim.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/excitation.hpp"
#include "politex/exact/spectrum.hpp"

namespace politex::exact {
namespace {

SparseRows unit_features(int pairs) {
  SparseRows rows;
  rows.columns = pairs;
  for (int pair = 0; pair < pairs; ++pair) {
    rows.append(pair, 1.0);
    rows.end_row();
  }
  return rows;
}

// With one feature per pair every Q is represented, and the best constant for the weights is their plain mean.
std::span<const double> by_columns(const Eigen::MatrixXd& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

TEST(WeightedBasis, RarePairsCountLikeAllOthers) {
  for (const auto& [size, expected] : {std::pair{20, 51.38}, {30, 95.17}, {40, 146.95}}) {
    const FiniteModel model = river_swim_model(size);
    const auto policy = always(model, 1);
    const Evaluation found = evaluate(model, policy);
    const auto distribution = uniform_pair_distribution(model, found.stationary);
    EXPECT_LT(std::ranges::min(distribution), 1e-12);
    const std::vector<double> q = action_values(model, found).value;
    const double mean = std::accumulate(q.begin(), q.end(), 0.0) / static_cast<double>(q.size());
    double norm = 0.0;
    for (const double value : q) norm = std::hypot(norm, value - mean);
    const SparseRows features = unit_features(model.pairs());
    const Fit fit = WeightedFit(features, distribution).fit(q);
    EXPECT_NEAR(fit.weight_norm / norm, 1.0, 1e-9) << size;
    EXPECT_NEAR(fit.weight_norm, expected, 0.005) << size;
    EXPECT_NEAR(fit.error, 0.0, 1e-9) << size;
    const TdComparison td = td_comparison(model, policy, features, distribution);
    EXPECT_EQ(td.rho, 0.0) << size;
    EXPECT_LE(td.alpha, 1.0) << size;
  }
}

TEST(WeightedBasis, IsOrthonormalAndOrthogonalToConstants) {
  Rng rng{3, Use::test};
  SparseRows features;
  features.columns = 6;
  std::vector<double> distribution;
  for (int row = 0; row < 25; ++row) {
    double sum = 0.0;
    for (int column = 0; column < 5; ++column) {
      const double value = rng.normal();
      features.append(column, value);
      sum += value;
    }
    features.append(5, sum);  // dependent
    features.end_row();
    distribution.push_back(std::pow(10.0, -2.0 * row));  // down to 1e-48
  }
  const WeightedBasis basis(features, distribution);
  ASSERT_EQ(basis.size(), 5);
  for (int a = 0; a < 5; ++a) {
    double with_constant = 0.0;
    for (int b = 0; b < 5; ++b) {
      double product = 0.0;
      for (int i = 0; i < 25; ++i) product += basis.scaled(i, a) * basis.scaled(i, b);
      EXPECT_NEAR(product, a == b ? 1.0 : 0.0, 1e-14);
    }
    for (int i = 0; i < 25; ++i)
      with_constant += basis.scaled(i, a) * std::sqrt(basis.probability()[static_cast<std::size_t>(i)]);
    EXPECT_NEAR(with_constant, 0.0, 1e-14);
  }
}

TEST(Spectrum, NilpotentChainsHaveRadiusZero) {
  // A line into an absorbing end, and a shift register, which forgets its start after five steps.
  Eigen::MatrixXd line = Eigen::MatrixXd::Zero(32, 32);
  for (int x = 0; x < 32; ++x) line(x, std::min(x + 1, 31)) = 1.0;
  EXPECT_EQ(eigenvalue_moduli(by_columns(line))[1], 0.0);
  Eigen::MatrixXd shift = Eigen::MatrixXd::Zero(32, 32);
  for (int x = 0; x < 32; ++x) {
    shift(x, 2 * x % 32) += 0.3;
    shift(x, (2 * x + 1) % 32) += 0.7;
  }
  const std::vector<double> moduli = eigenvalue_moduli(by_columns(shift));
  EXPECT_NEAR(moduli[0], 1.0, 1e-12);
  EXPECT_EQ(moduli[1], 0.0);
  const Eigen::MatrixXd turn{{0.0, 1e-12}, {-1e12, 0.0}};
  EXPECT_NEAR(spectral_radius(by_columns(turn)), 1.0, 1e-12);
}

TEST(Excitation, SigmaDoesNotDependOnTheBasisOfTheSpan) {
  SparseRows whole;
  whole.columns = 3;
  Rng rng{9, Use::test};
  std::vector<double> distribution;
  for (int row = 0; row < 12; ++row) {
    const double a = rng.normal(), b = rng.normal();
    whole.append(0, a);
    whole.append(1, b);
    whole.append(2, a + b);
    whole.end_row();
    distribution.push_back(1.0 / 12);
  }
  const Excitation all = excitation(whole, distribution);
  EXPECT_EQ(all.sigma, 0.0);
  for (const auto& columns : {std::vector{0, 1}, {0, 2}, {1, 2}}) {
    const Excitation part = excitation(select_columns(whole, columns), distribution, &whole);
    EXPECT_NEAR(part.sigma, all.sigma_on_span, 1e-14);
    EXPECT_NEAR(part.sigma_on_span, all.sigma_on_span, 1e-14);
  }
}

}  // namespace
}  // namespace politex::exact
