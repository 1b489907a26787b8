// Excitation of features, and how well they represent Q, against dense textbook computations.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "exact/random_models.hpp"
#include "politex/base/error.hpp"
#include "politex/env/deep_sea.hpp"
#include "politex/exact/approximation.hpp"
#include "politex/exact/excitation.hpp"

namespace politex::exact {
namespace {

using testing::random_model;
using testing::random_policy;

SparseRows random_features(int rows, int columns, Rng& rng) {
  SparseRows features;
  features.columns = columns;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (rng.uniform() < 0.6) features.append(column, rng.normal());
    }
    features.end_row();
  }
  return features;
}

SparseRows tabular(const FiniteModel& model) {
  SparseRows features;
  features.columns = model.pairs();
  for (int pair = 0; pair < model.pairs(); ++pair) {
    features.append(pair, 1.0);
    features.end_row();
  }
  return features;
}

// Row and column indicators, once per action.
SparseRows additive(const FiniteModel& model, int size) {
  SparseRows features;
  features.columns = 4 * size;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const int x = pair / model.actions, offset = pair % model.actions * 2 * size;
    features.append(offset + model.axes[0][x], 1.0);
    features.append(offset + size + model.axes[1][x], 1.0);
    features.end_row();
  }
  return features;
}

Eigen::MatrixXd dense(const SparseRows& features) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(features.rows(), features.columns);
  for (int row = 0; row < features.rows(); ++row) {
    for (std::size_t e = 0; e < features.indices(row).size(); ++e) {
      result(row, features.indices(row)[e]) = features.values(row)[e];
    }
  }
  return result;
}

Eigen::VectorXd vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

TEST(Excitation, DeepSeasAdditiveFeaturesInClosedForm) {
  for (const int n : {2, 3, 5, 10, 20}) {
    const FiniteModel model = deep_sea_model(DeepSea{n});
    const SparseRows features = additive(model, n);
    const Evaluation uniform = evaluate(model, uniform_policy(model));
    const Excitation found = excitation(features, uniform_pair_distribution(model, uniform.stationary));
    EXPECT_EQ(found.rank, 4 * n - 2);
    EXPECT_EQ(found.excited_rank, 4 * n - 2);
    EXPECT_EQ(found.sigma, 0.0);
    EXPECT_NEAR(found.sigma_on_span, 0.5 / n, 1e-12);
    ASSERT_EQ(found.null_vectors.size(), 2u);  // all rows minus all columns, for each action
    for (const auto& w : found.null_vectors) EXPECT_NEAR((dense(features) * vector(w)).norm(), 0.0, 1e-9);

    const Evaluation right = evaluate(model, always(model, 1));
    const Excitation poor = excitation(features, uniform_pair_distribution(model, right.stationary));
    EXPECT_EQ(poor.sigma, 0.0);
    EXPECT_EQ(poor.sigma_on_span, 0.0);
    EXPECT_EQ(poor.excited_rank, 2 * n);
    const Excitation a3 = excitation(features, pair_distribution(model, right.stationary, always(model, 1)));
    EXPECT_EQ(a3.excited_rank, n);
  }
}

TEST(Excitation, AgreesWithDenseEigenvalues) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng{seed, Use::test, 5};
    SparseRows features = random_features(40, 8, rng);
    std::vector<double> distribution(40);
    for (double& mass : distribution) mass = rng.uniform() / 20.0;
    const Eigen::MatrixXd psi = dense(features);
    const Eigen::MatrixXd gram = psi.transpose() * vector(distribution).asDiagonal() * psi;
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues()[0];
    const Excitation found = excitation(features, distribution);
    EXPECT_NEAR(found.sigma, least, 1e-12);
    EXPECT_NEAR(found.sigma_on_span, least, 1e-12);
    EXPECT_TRUE(found.null_vectors.empty());

    // A ninth column that is the sum of two others: singular, the same span.
    SparseRows wider;
    wider.columns = 9;
    for (int row = 0; row < 40; ++row) {
      for (int column = 0; column < 8; ++column) wider.append(column, psi(row, column));
      wider.append(8, psi(row, 2) + psi(row, 5));
      wider.end_row();
    }
    const Excitation singular = excitation(wider, distribution);
    EXPECT_EQ(singular.sigma, 0.0);
    EXPECT_EQ(singular.rank, 8);
    ASSERT_EQ(singular.null_vectors.size(), 1u);
    EXPECT_NEAR(singular.null_vectors[0][2], -1.0, 1e-9);
    EXPECT_NEAR(singular.null_vectors[0][5], -1.0, 1e-9);
    EXPECT_NEAR(singular.null_vectors[0][8], 1.0, 1e-12);
    const Eigen::MatrixXd wide = dense(wider);
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(wide.transpose() * vector(distribution).asDiagonal() * wide)
            .eigenvalues();
    EXPECT_NEAR(singular.sigma_on_span, values[1], 1e-12);  // the kernel is one-dimensional: the next eigenvalue
    EXPECT_EQ(independent_columns(wider), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_NEAR(excitation(select_columns(wider, independent_columns(wider)), distribution).sigma, least, 1e-12);
  }
}

TEST(Excitation, SigmaOfTabularFeaturesIsTheSmallestProbability) {
  const FiniteModel model = random_model(3, 30, 3, 4, 0.1);
  const Evaluation uniform = evaluate(model, uniform_policy(model));
  const auto distribution = uniform_pair_distribution(model, uniform.stationary);
  EXPECT_DOUBLE_EQ(excitation(tabular(model), distribution).sigma, std::ranges::min(distribution));
}

struct DenseTd {
  double alpha, rho, td_error, best_error, radius;
};

// The same quantities from their definitions, with dense matrices on functions minus their mean under nu.
DenseTd dense_td(const FiniteModel& model, const std::vector<double>& policy, const SparseRows& features,
                 const std::vector<double>& explorer_distribution) {
  const auto chain = testing::dense_chain(model, policy);
  const auto answer = testing::dense_answer(chain);
  const Eigen::MatrixXd pairs = testing::dense_pairs(model);
  const int n = model.pairs();
  Eigen::MatrixXd h(n, n);
  Eigen::VectorXd nu(n), q(n), cost = vector(model.cost);
  for (int i = 0; i < n; ++i) {
    nu[i] = answer.limit(0, i / model.actions) * policy[i];
    q[i] = cost[i] - answer.gain[0] + pairs.row(i) * answer.bias;
    for (int j = 0; j < n; ++j) h(i, j) = pairs(i, j / model.actions) * policy[j];
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
  const auto projection = [&](const Eigen::VectorXd& distribution) -> Eigen::MatrixXd {
    const Eigen::MatrixXd centre = one - Eigen::VectorXd::Ones(n) * distribution.transpose() / distribution.sum();
    const Eigen::MatrixXd phi = centre * dense(features);
    const Eigen::MatrixXd gram = phi.transpose() * distribution.asDiagonal() * phi;
    return phi * gram.completeOrthogonalDecomposition().pseudoInverse() * phi.transpose() * distribution.asDiagonal() *
           centre;
  };
  const Eigen::MatrixXd pi = projection(nu), pi_e = projection(vector(explorer_distribution));
  const Eigen::VectorXd root = nu.cwiseSqrt();
  const auto norm = [&](const Eigen::MatrixXd& m) {
    const Eigen::MatrixXd scaled = root.asDiagonal() * m * root.cwiseInverse().asDiagonal();
    return Eigen::JacobiSVD<Eigen::MatrixXd>(scaled).singularValues()[0];
  };
  const Eigen::MatrixXd centre = one - Eigen::VectorXd::Ones(n) * nu.transpose();
  const auto length = [&](const Eigen::VectorXd& f) { return std::sqrt((centre * f).cwiseAbs2().dot(nu)); };
  const Eigen::VectorXd td =
      (one - pi * h).fullPivLu().solve(pi * (cost - Eigen::VectorXd::Constant(n, answer.gain[0])));
  const double rho_root = norm((one - pi * h).fullPivLu().solve(pi * h * (centre - pi)));
  return {norm(pi * h), rho_root * rho_root, length(q - td), length(q - pi * q),
          Eigen::EigenSolver<Eigen::MatrixXd>(pi_e * h, false).eigenvalues().cwiseAbs().maxCoeff()};
}

TEST(Approximation, TdQuantitiesMatchTheirDefinitions) {
  int diverging = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FiniteModel model = random_model(seed, 8, 2, 3, 0.02);
    Rng rng{seed, Use::test, 6};
    SparseRows features = random_features(model.pairs(), 4, rng);
    if (seed % 3 == 0) {  // the constant among the features changes nothing
      SparseRows with_constant;
      with_constant.columns = 5;
      for (int row = 0; row < features.rows(); ++row) {
        for (std::size_t e = 0; e < features.indices(row).size(); ++e) {
          with_constant.append(features.indices(row)[e], features.values(row)[e]);
        }
        with_constant.append(4, 1.0);
        with_constant.end_row();
      }
      features = with_constant;
    }
    const auto policy = random_policy(model, rng);
    std::vector<double> explorer_distribution(model.pairs());
    for (double& mass : explorer_distribution) mass = std::pow(rng.uniform(), 6);
    const double total = std::accumulate(explorer_distribution.begin(), explorer_distribution.end(), 0.0);
    for (double& mass : explorer_distribution) mass /= total;
    const TdComparison found = td_comparison(model, policy, features, explorer_distribution);
    const DenseTd expected = dense_td(model, policy, features, explorer_distribution);
    EXPECT_NEAR(found.alpha, expected.alpha, 1e-8) << "seed " << seed;
    EXPECT_NEAR(found.rho, expected.rho, 1e-8 * (1.0 + expected.rho)) << "seed " << seed;
    EXPECT_NEAR(found.td_error, expected.td_error, 1e-8) << "seed " << seed;
    EXPECT_NEAR(found.best_error, expected.best_error, 1e-8) << "seed " << seed;
    EXPECT_NEAR(found.off_policy_radius, expected.radius, 1e-7) << "seed " << seed;
    EXPECT_LE(found.td_error, std::sqrt(1.0 + found.rho) * found.best_error + 1e-10);
    EXPECT_GE(found.td_error, found.best_error - 1e-12);
    EXPECT_LE(found.alpha, 1.0 + 1e-12);
    diverging += found.off_policy_radius > 1.0 ? 1 : 0;
  }
  EXPECT_GT(diverging, 0);  // off-policy LSPE does diverge on some of them
}

TEST(Approximation, TabularFeaturesHaveNoError) {
  const FiniteModel model = random_model(8, 6, 2, 3, 0.1);
  Rng rng{8};
  const auto policy = random_policy(model, rng);
  const auto distribution = uniform_pair_distribution(model, evaluate(model, policy).stationary);
  const TdComparison found = td_comparison(model, policy, tabular(model), distribution);
  EXPECT_NEAR(found.best_error, 0.0, 1e-12);
  EXPECT_NEAR(found.td_error, 0.0, 1e-12);
  EXPECT_NEAR(found.rho, 0.0, 1e-12);
}

TEST(Approximation, BestWeightsMatchDenseLeastSquaresWithAFreeConstant) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng{seed, Use::test, 8};
    const SparseRows features = random_features(50, 6, rng);
    std::vector<double> distribution(50), q(50);
    for (double& mass : distribution) mass = rng.uniform();
    for (double& value : q) value = rng.normal() + 10.0;
    Eigen::MatrixXd wide(50, 7);
    wide << dense(features), Eigen::VectorXd::Ones(50);
    const Eigen::VectorXd root = vector(distribution).cwiseSqrt();
    const Eigen::VectorXd best = (root.asDiagonal() * wide).colPivHouseholderQr().solve(root.cwiseProduct(vector(q)));
    const Fit found = WeightedFit(features, distribution).fit(q);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(found.weights[i], best[i], 1e-9);
    EXPECT_NEAR(found.constant, best[6], 1e-9);
    EXPECT_NEAR(found.error, (root.asDiagonal() * (vector(q) - wide * best)).norm() / root.norm(), 1e-9);
    EXPECT_NEAR(found.weight_norm, best.head(6).norm(), 1e-9);
    EXPECT_NEAR(found.largest_feature, dense(features).rowwise().norm().maxCoeff(), 1e-12);
    EXPECT_NEAR(found.range, vector(q).maxCoeff() - vector(q).minCoeff(), 1e-12);
  }
}

TEST(Approximation, TheErrorForTooManyFeaturesSaysWhatToDo) {
  SparseRows features;
  features.columns = 5000;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 5000; ++column) features.append(column, 1.0);
    features.end_row();
  }
  const std::vector<double> distribution = {0.5, 0.5};
  EXPECT_THROW(excitation(features, distribution), Error);
  EXPECT_THROW(WeightedFit(features, distribution), Error);
}

}  // namespace
}  // namespace politex::exact
